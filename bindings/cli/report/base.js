// What all parts of the page share: the data, elements, numbers, axes. Text from the data goes into the page as text
// only, never as markup.
const data = JSON.parse(document.getElementById("data").textContent);

// An element with attributes ("text" is its text, "on..." a handler) and children.
function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") element.textContent = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// A group in a picture that is worked like a button.
function pressable(name, act, ...children) {
  const press = (event) => {
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  };
  return draw("g", {role: "button", tabindex: 0, "aria-label": name, onclick: press, onkeydown: press},
    draw("title", {text: name}), ...children);
}

function percent(share, digits = 2) {
  return (100 * share).toFixed(digits) + " %";
}

function short(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "";
  if (Math.abs(value) < 1e-300) return "0"; // not -0
  if (Number.isInteger(value)) return value.toLocaleString("en-US");
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-3 || size >= 1e7) ? value.toExponential(2) : String(Number(value.toPrecision(4)));
}

// A section of the page with its entry among the contents; draws anew when the width changes.
const redraws = [];
function section(id, title, note, drawInto) {
  const body = make("div");
  const heading = make("h2", {id: `${id}-title`, text: title});
  document.getElementById("content").append(make("section", {id, "aria-labelledby": `${id}-title`}, heading,
    note ? make("p", {class: "soft", text: note}) : null, body));
  const contents = document.getElementById("contents");
  if (!contents.firstChild) contents.append(make("ul"));
  contents.firstChild.append(make("li", {}, make("a", {href: `#${id}`, text: title})));
  drawInto(body);
  return body;
}

// Draws a picture into a card now and whenever its width has changed.
function picture(parent, drawAt) {
  const card = make("div", {class: "card"});
  parent.append(card);
  let last = 0;
  const redraw = (force) => {
    const style = getComputedStyle(card);
    const width = Math.floor(card.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight));
    if (width < 40 || (width === last && force !== true)) return;
    last = width;
    card.replaceChildren(...[drawAt(width)].flat());
  };
  redraw(true);
  redraws.push(redraw);
  return () => redraw(true);
}
let resizing = 0;
window.addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(() => redraws.forEach((redraw) => redraw()), 100);
});

// Round numbers between two ends, about so many.
function ticks(low, high, wanted) {
  if (!(high > low)) return [low];
  const rough = (high - low) / Math.max(1, wanted), power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999);
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i) found.push(Number((i * step).toPrecision(12)));
  return found;
}

const ruler = document.createElement("canvas").getContext("2d");

// The width of a text in a picture, in the font that page.css gives it.
function textWidth(text) {
  ruler.font = '12px system-ui, "DejaVu Sans", Verdana, Arial, sans-serif';
  return ruler.measureText(text).width;
}

// A text, without its end where it is wider than the room for it.
function shortened(text, room) {
  if (textWidth(text) <= room) return text;
  let letters = text.length;
  while (letters > 1 && textWidth(text.slice(0, letters) + "…") > room) --letters;
  return text.slice(0, letters) + "…";
}

// Where a text that is centred at x may stand without being cut off at an edge of its picture.
function inside(x, text, width) {
  const half = textWidth(String(text)) / 2;
  return Math.max(half, Math.min(x, width - half - 2));
}

// The place of a value between two ends of a line.
function scale(low, high, from, to) {
  return (value) => from + (high > low ? (value - low) / (high - low) : 0.5) * (to - from);
}

// One plot with axes: curves [{x, y, band, style, dots, line}], title and units; x may be names. Returns the picture.
function plot({width, height = 240, title, xLabel, yLabel, curves, names, describe, ends, zero = false, format = short}) {
  const all = curves.flatMap((curve) => curve.y.concat(curve.band ? curve.band.flat() : [])).filter(Number.isFinite);
  let low = Math.min(...all, ...(zero ? [0] : []), ...(ends || [])), high = Math.max(...all, ...(ends || []));
  if (!(high > low)) { low -= 0.5 * Math.abs(low) || 0.5; high += 0.5 * Math.abs(high) || 0.5; }
  if (!zero) { const air = 0.05 * (high - low); low -= air; high += air; }
  const longest = Math.max(...ticks(low, high, 5).map((tick) => format(tick).length));
  const margin = {left: 34 + 7 * longest, right: 12, top: 30, bottom: 44};
  const xs = curves.flatMap((curve) => curve.x).filter(Number.isFinite);
  const x = scale(Math.min(...xs), Math.max(...xs), margin.left, width - margin.right);
  const y = scale(low, high, height - margin.bottom, margin.top);
  const svg = draw("svg", {width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": describe || title});
  svg.append(draw("text", {class: "title", x: 4, y: 16, text: title}));
  for (const tick of ticks(low, high, 5)) {
    svg.append(draw("line", {class: "grid", x1: margin.left, x2: width - margin.right, y1: y(tick), y2: y(tick)}),
      draw("text", {x: margin.left - 6, y: y(tick) + 4, "text-anchor": "end", text: format(tick)}));
  }
  svg.append(draw("path", {class: "axis", d: `M${margin.left} ${margin.top}V${height - margin.bottom}H${width - margin.right}`}));
  const room = Math.max(2, Math.floor((width - margin.left) / 80));
  const marks = names ? names.map((name, i) => i).filter((i) => i % Math.ceil(names.length / room) === 0)
    : ticks(Math.min(...xs), Math.max(...xs), room);
  for (const tick of marks) {
    const text = names ? names[tick] : short(tick);
    svg.append(draw("line", {class: "axis", x1: x(tick), x2: x(tick), y1: height - margin.bottom, y2: height - margin.bottom + 5}),
      draw("text", {x: inside(x(tick), text, width), y: height - margin.bottom + 18, "text-anchor": "middle", text}));
  }
  svg.append(draw("text", {x: (margin.left + width) / 2, y: height - 6, "text-anchor": "middle", text: xLabel}));
  if (yLabel) svg.append(draw("text", {transform: `translate(11 ${(margin.top + height - margin.bottom) / 2}) rotate(-90)`, "text-anchor": "middle", text: yLabel}));
  for (const curve of curves) {
    const known = curve.x.map((_, i) => i).filter((i) => Number.isFinite(curve.y[i]));
    if (curve.band) {
      const held = known.filter((i) => Number.isFinite(curve.band[i][0]));
      const edge = (i, side) => `${x(curve.x[i]).toFixed(1)},${y(curve.band[i][side]).toFixed(1)}`;
      svg.append(draw("polygon", {class: "band", points: held.map((i) => edge(i, 0)).concat(held.slice().reverse().map((i) => edge(i, 1))).join(" ")}));
    }
    if (curve.line !== false) svg.append(draw("polyline", {class: `curve ${curve.style || ""}`, points: known.map((i) => `${x(curve.x[i]).toFixed(1)},${y(curve.y[i]).toFixed(1)}`).join(" ")}));
    if (curve.dots || known.length === 1) {
      for (const i of known) svg.append(draw("circle", {class: curve.line === false ? "dot second" : "dot", cx: x(curve.x[i]), cy: y(curve.y[i]), r: 3}));
    }
  }
  return svg;
}

// A table whose heads sort it; columns [{name, number, minor, show}], rows arrays of values.
function sortable({caption, columns, rows, sorted = 0, descending = true, chosen}) {
  const body = make("tbody");
  const heads = columns.map((column, i) => {
    const turn = () => {
      descending = i === sorted ? !descending : Boolean(column.number);
      sorted = i;
      order();
    };
    return make("th", {scope: "col", class: [column.number ? "number" : "", column.minor ? "minor" : ""].join(" ").trim() || null},
      make("button", {type: "button", text: column.name, title: column.help || null, onclick: turn}));
  });
  function order() {
    heads.forEach((head, i) => head.setAttribute("aria-sort", i !== sorted ? "none" : descending ? "descending" : "ascending"));
    const value = (row) => row.values[sorted];
    const missing = (row) => value(row) === null || value(row) === undefined;
    const sign = descending ? -1 : 1;
    const ordered = rows.slice().sort((a, b) => missing(a) - missing(b) ||
      sign * (columns[sorted].number ? value(a) - value(b) : String(value(a)).localeCompare(String(value(b)))) || a.index - b.index);
    body.replaceChildren(...ordered.map((row) => row.element));
  }
  rows = rows.map((values, index) => ({values, index, element: make("tr", {}, ...columns.map((column, i) => {
    const shown = column.show ? column.show(values[i], index) : short(values[i]);
    const cell = make("td", {class: [column.number ? "number" : "", column.minor ? "minor" : ""].join(" ").trim() || null});
    cell.append(shown);
    return cell;
  }))}));
  order();
  const table = make("table", {}, make("caption", {class: "soft", text: caption}), make("thead", {}, make("tr", {}, ...heads)), body);
  table.choose = (index) => rows.forEach((row) => row.element.setAttribute("aria-selected", row.index === index));
  return table;
}
