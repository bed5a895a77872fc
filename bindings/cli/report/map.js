// The map of topics: near topics have like words, ties join topics that come together in documents.
const mapHelp = "Topics with similar words are close together (classical scaling of Jensen-Shannon distances); areas are shares of the words." +
  (data.correlations ? " Orange lines join topics that come together in documents." : "");

function topicMap(parent) {
  let least = 0.1;
  const controls = make("div", {class: "controls"});
  if (data.correlations) {
    const value = make("output", {text: least.toFixed(2)});
    controls.append(make("label", {class: "slider"}, "correlation of at least", make("input", {type: "range", min: 0, max: 0.6, step: 0.05, value: least, id: "ties",
      oninput: (event) => { least = Number(event.target.value); value.textContent = least.toFixed(2); redraw(); }}), value));
  }
  parent.append(controls);
  const redraw = picture(parent, (width) => {
    const height = Math.round(Math.max(320, Math.min(620, 0.62 * width)));
    const svg = draw("svg", {width, height, role: "group", "aria-label": `Map of ${topics.length} topics`});
    const bubbles = placeBubbles(width, height);
    if (data.correlations) {
      bubbles.forEach((a, i) => bubbles.slice(0, i).forEach((b, j) => {
        const value = data.correlations[i][j];
        if (value === null || value < least) return;
        svg.append(draw("line", {class: "tie", x1: a.x, y1: a.y, x2: b.x, y2: b.y, "stroke-width": Math.min(6, 1 + 8 * value)},
          draw("title", {text: `${named(topics[i])} and ${named(topics[j])}: correlation ${value.toFixed(2)}`})));
      }));
    }
    for (const bubble of bubbles) {
      const topic = bubble.topic;
      svg.append(pressable(`topic ${named(topic)}, ${percent(topic.share)}`, () => show("topic", topic.id),
        draw("circle", {class: "bubble", cx: bubble.x, cy: bubble.y, r: bubble.radius})));
    }
    for (const label of placeLabels(bubbles.map((bubble) => ({...bubble, texts: labelTexts(bubble.topic)})), width, height)) {
      svg.append(draw("text", {class: "name", "data-topic": label.topic.id, x: label.x, y: label.y, "text-anchor": label.anchor, text: label.text, "aria-hidden": "true"}));
    }
    return svg;
  });
  afterChoice.push((kind, number) => {
    parent.querySelectorAll("svg .chosen").forEach((group) => group.classList.remove("chosen"));
    const place = kind === "topic" ? topicOf.get(number) : undefined;
    if (place !== undefined) parent.querySelectorAll("svg g[role=button]")[place].classList.add("chosen");
  });
}

// Bubbles at their places, pushed apart where they would cover each other.
function placeBubbles(width, height) {
  const xs = topics.map((topic) => topic.x), ys = topics.map((topic) => topic.y), margin = Math.min(70, width / 7);
  const x = scale(Math.min(...xs), Math.max(...xs), margin, width - margin);
  const y = scale(Math.min(...ys), Math.max(...ys), height - 34, 34);
  const room = Math.sqrt(width * height);
  const bubbles = topics.map((topic) => ({topic, x: x(topic.x), y: y(topic.y),
    radius: Math.max(4, Math.min(0.055 * room, 0.16 * room * Math.sqrt(topic.share)))}));
  for (let round = 0; round < 60; ++round) {
    let moved = false;
    for (let i = 0; i < bubbles.length; ++i) {
      for (let j = 0; j < i; ++j) {
        const a = bubbles[i], b = bubbles[j];
        let dx = a.x - b.x, dy = a.y - b.y, distance = Math.hypot(dx, dy);
        if (distance < 1e-6) { dx = Math.cos(i); dy = Math.sin(i); distance = 1; }
        const lacking = a.radius + b.radius + 2 - distance;
        if (lacking <= 0) continue;
        moved = true;
        const push = 0.25 * lacking / distance;
        a.x += dx * push; a.y += dy * push; b.x -= dx * push; b.y -= dy * push;
      }
    }
    for (const bubble of bubbles) {
      bubble.x = Math.max(bubble.radius + 2, Math.min(width - bubble.radius - 2, bubble.x));
      bubble.y = Math.max(bubble.radius + 2, Math.min(height - bubble.radius - 2, bubble.y));
    }
    if (!moved) break;
  }
  return bubbles;
}

// What a label of the map may say: two words, one, the number alone.
function labelTexts(topic) {
  const words = topic.label.split(" ");
  return [words.slice(0, 2).join(" "), words[0], String(topic.id)].map((text) => text.length > 26 ? text.slice(0, 25) + "…" : text);
}

// Labels of the first things first, each with the first of its texts that at one of some places covers no other label;
// what finds none gets no label: a topic's name is that of its bubble all the same.
function placeLabels(things, width, height) {
  const taken = [], placed = [], line = 15, air = 3;
  const free = (box) => box.left >= 0 && box.right <= width && box.top >= 0 && box.bottom <= height &&
    taken.every((other) => box.right + air < other.left || other.right + air < box.left || box.bottom + air < other.top || other.bottom + air < box.top);
  for (const thing of things) {
    const {x, y, radius} = thing;
    search: for (const text of thing.texts) {
      const wide = textWidth(text) + 2, side = radius + 4;
      for (const [dx, dy, anchor] of [[0, 4, "middle"], [0, -side - 3, "middle"], [0, side + 11, "middle"], [side, 4, "start"], [-side, 4, "end"],
        [0.7 * side, -0.7 * side, "start"], [-0.7 * side, -0.7 * side, "end"], [0.7 * side, 0.7 * side + 10, "start"], [-0.7 * side, 0.7 * side + 10, "end"]]) {
        const left = x + dx - (anchor === "middle" ? wide / 2 : anchor === "end" ? wide : 0), top = y + dy - line + 3;
        const box = {left, right: left + wide, top, bottom: top + line};
        if (!free(box)) continue;
        taken.push(box);
        placed.push({...thing, x: x + dx, y: y + dy, anchor, text});
        break search;
      }
    }
  }
  return placed;
}
