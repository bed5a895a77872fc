// Parts of the pages of models that are not about words: tables, matrices, images, profiles, points, paths.
const hues = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#f0e442", "#999999"]; // Okabe and Ito

// The colour of a value: from white to blue, and to orange below zero.
function heatColour(share) {
  const strength = Math.min(1, Math.abs(share)), [r, g, b] = share < 0 ? [213, 94, 0] : [0, 94, 170];
  const mix = (channel) => Math.round(255 + (channel - 255) * strength);
  return [mix(r), mix(g), mix(b)];
}

// A picture of bytes, one a pixel.
function paint(part, pixels, name) {
  const canvas = make("canvas", {width: part.width, height: part.height, role: "img", "aria-label": name});
  const context = canvas.getContext("2d"), image = context.createImageData(part.width, part.height);
  const bytes = atob(pixels);
  for (let i = 0; i < bytes.length; ++i) {
    const level = bytes.charCodeAt(i);
    const colour = part.signed ? heatColour((level - 128) / 127) : [level, level, level];
    image.data.set([...colour, 255], 4 * i);
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

const renderers = {
  table(part, parent) {
    const columns = part.columns.map((name, i) => ({name, number: part.rows.every((row) => typeof row[i] === "number" || row[i] === null),
      show: (value) => typeof value === "string" ? value : short(value)}));
    parent.append(make("div", {class: "card scroll tall"}, sortable({caption: part.caption || "click a heading to sort", columns, rows: part.rows, sorted: part.sorted || 0, descending: part.sorted > 0})));
  },
  matrix(part, parent) {
    const most = Math.max(...part.values.flat().map(Math.abs), 1e-12);
    const head = make("tr", {}, make("th", {text: part.corner}), ...part.columns.map((name) => make("th", {scope: "col", class: "heat", text: name})));
    const rows = part.values.map((values, i) => make("tr", {}, make("th", {scope: "row", text: part.rows[i]}), ...values.map((value) => {
      const colour = heatColour(value / most);
      const dark = 0.3 * colour[0] + 0.6 * colour[1] + 0.1 * colour[2] < 140;
      return make("td", {class: "heat", text: value < 0.005 && value >= 0 ? "·" : value.toFixed(2), style: {background: `rgb(${colour})`, color: dark ? "#fff" : "#111"}});
    })));
    parent.append(make("div", {class: "card scroll"}, make("table", {}, make("caption", {class: "soft", text: part.caption}), make("thead", {}, head), make("tbody", {}, ...rows))));
  },
  images(part, parent) {
    const paired = part.items.some((item) => item.original);
    const grid = make("div", {class: paired ? "images pairs" : "images"});
    for (const item of part.items) {
      const shown = item.original ? [paint(part, item.original, `${item.caption}, the row itself`), paint(part, item.pixels, `${item.caption}, reconstructed`)]
        : [paint(part, item.pixels, item.caption)];
      grid.append(make("figure", {}, make("div", {class: "side"}, ...shown), make("figcaption", {text: item.caption})));
    }
    parent.append(make("div", {class: "card"}, grid, make("p", {class: "soft", text: part.legend})));
  },
  profiles(part, parent) {
    const grid = make("div", {class: "profiles"});
    parent.append(grid);
    const edges = part.items.flatMap((item) => item.values.flatMap((value, i) => item.spread ? [value - item.spread[i], value + item.spread[i]] : [value]).concat(item.original || [])).filter(Number.isFinite);
    const ends = [Math.min(...edges), Math.max(...edges)]; // one scale, so that they can be compared
    for (const item of part.items) {
      picture(grid, (width) => plot({width, height: 170, ends, title: item.caption, xLabel: part.x_label, yLabel: part.y_label, names: part.columns,
        curves: [{x: item.values.map((_, i) => i), y: item.values, dots: item.values.length <= 30,
          band: item.spread ? item.values.map((value, i) => [value - item.spread[i], value + item.spread[i]]) : null},
          ...(item.original ? [{x: item.original.map((_, i) => i), y: item.original, dots: true, line: false}] : [])]}));
    }
  },
  ellipses(part, parent) {
    const pick = (start, id, name) => make("select", {id, "aria-label": name}, ...part.columns.map((column, i) => make("option", {value: i, text: column, selected: i === start})));
    const across = pick(0, "ellipses-x", "column across"), up = pick(1, "ellipses-y", "column up");
    parent.append(make("div", {class: "controls"}, make("label", {}, "across ", across), make("label", {}, "up ", up)));
    const redraw = picture(parent, (width) => drawEllipses(part, width, Number(across.value), Number(up.value)));
    across.addEventListener("change", redraw);
    up.addEventListener("change", redraw);
  },
  paths(part, parent) {
    picture(parent, (width) => {
      const names = 70, line = 22, longest = Math.max(...part.items.map((item) => item.states.length)), top = 8;
      const cell = (width - names - 4) / longest, height = top + line * part.items.length + 36;
      const svg = draw("svg", {width, height, role: "img", "aria-label": part.caption});
      part.items.forEach((item, row) => {
        svg.append(draw("text", {x: 0, y: top + line * row + 13, text: item.caption}));
        let start = 0;
        item.states.forEach((state, i) => {
          if (i + 1 < item.states.length && item.states[i + 1] === state) return;
          const wide = cell * (i + 1 - start), x = names + cell * start, y = top + line * row;
          svg.append(draw("rect", {x, y, width: wide, height: line - 5, fill: hues[state % hues.length], "fill-opacity": 0.85 - 0.25 * (Math.floor(state / hues.length) % 3)},
            draw("title", {text: `${item.caption}: state ${state}, positions ${start} to ${i}`})));
          if (wide > 16) svg.append(draw("text", {x: x + wide / 2, y: y + 13, "text-anchor": "middle", style: {fill: "#000"}, text: state}));
          start = i + 1;
        });
      });
      for (const tick of ticks(0, longest, Math.max(2, width / 120))) {
        svg.append(draw("text", {x: inside(names + cell * tick, tick, width), y: height - 20, "text-anchor": "middle", text: tick}));
      }
      svg.append(draw("text", {x: (names + width) / 2, y: height - 4, "text-anchor": "middle", text: "position in the sequence"}));
      return svg;
    });
  },
};
