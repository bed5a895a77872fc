// Topics: a table, the chosen topic, word or document beside it, and their sizes.
const topics = data.topics || [];
const topicOf = new Map(topics.map((topic, place) => [topic.id, place]));
const named = (topic) => `${topic.id} · ${topic.label}`;
let relevance = 0.6;

function topicLink(id, share) {
  const topic = topics[topicOf.get(id)];
  return barItem(named(topic), share, () => show("topic", id));
}

// A line with a bar behind it; `part` of the whole width.
function barItem(name, share, act, part = share, note = percent(share)) {
  return make("li", {}, make("i", {style: {width: `${Math.max(0, Math.min(100, 100 * part))}%`}}),
    make("button", {type: "button", text: name, onclick: act}), make("span", {text: note}));
}

function rankedWords(topic, weight, count) {
  const scored = topic.words.map(([word, probability]) => {
    const lift = probability / data.words[word].overall;
    return [word, probability, weight * Math.log(probability) + (1 - weight) * Math.log(lift)];
  });
  return scored.sort((a, b) => b[2] - a[2]).slice(0, count);
}

function showTopic(topic) {
  const list = make("ol", {class: "bars", "aria-label": "Words of the topic"});
  const value = make("output", {text: relevance.toFixed(2)});
  const fillWords = () => {
    const words = rankedWords(topic, relevance, data.words_shown);
    const most = Math.max(...words.map((word) => word[1]));
    list.replaceChildren(...words.map(([word, probability]) =>
      barItem(data.words[word].name, probability, () => show("word", word), probability / most)));
    value.textContent = relevance.toFixed(2);
  };
  const slider = make("input", {type: "range", min: 0, max: 1, step: 0.05, value: relevance, id: "relevance",
    "aria-label": "Relevance: from words of this topic only, 0, to its likeliest words, 1",
    oninput: (event) => { relevance = Number(event.target.value); fillWords(); }});
  fillWords();
  const parts = [make("h3", {tabindex: -1, text: `Topic ${topic.id}: ${topic.label}`}),
    make("p", {class: "soft", text: `${percent(topic.share)} of the words`}),
    make("label", {class: "slider"}, "only here", slider, "likeliest", value), list];
  if (topic.documents && topic.documents.length) {
    parts.push(make("h4", {text: "Documents"}), make("ul", {class: "bars"}, ...topic.documents.map(([place, share]) =>
      barItem(data.documents.list[place].name, share, () => show("document", place), share, percent(share, 0)))));
  }
  const near = data.correlations ? topics.map((other, place) => [other.id, data.correlations[topicOf.get(topic.id)][place]])
    .filter(([id, value]) => id !== topic.id && value !== null && value > 0.02).sort((a, b) => b[1] - a[1]).slice(0, 5) : [];
  if (near.length) {
    parts.push(make("h4", {text: "Comes together with"}), make("ul", {class: "bars"}, ...near.map(([id, value]) =>
      barItem(named(topics[topicOf.get(id)]), value, () => show("topic", id), value, `correlation ${value.toFixed(2)}`))));
  }
  return parts;
}

function showWord(index) {
  const word = data.words[index];
  return [make("h3", {tabindex: -1, text: `Word: ${word.name}`}),
    make("p", {class: "soft", text: `${percent(word.overall, 3)} of all words; the topics that it belongs to:`}),
    make("ul", {class: "bars", "aria-label": "Topics of the word"}, ...word.topics.map(([id, share]) => topicLink(id, share)))];
}

function showDocument(place) {
  const item = data.documents.list[place];
  const parts = [make("h3", {tabindex: -1, text: `Document: ${item.name}`}),
    item.date ? make("p", {class: "soft", text: item.date}) : null,
    make("ul", {class: "bars", "aria-label": "Topics of the document"}, ...item.topics.map(([id, share]) => topicLink(id, share)))];
  if (item.text) parts.push(make("h4", {text: "Text"}), make("p", {class: "text"}, ...marked(item)));
  return parts.filter(Boolean);
}

// The text with the words of the document's largest topics marked.
function marked(item) {
  const known = new Set();
  for (const [id] of item.topics.slice(0, 2)) {
    for (const [word] of rankedWords(topics[topicOf.get(id)], 0.6, 30)) known.add(data.words[word].name);
  }
  return item.text.split(/([\p{L}\p{N}\p{M}]+)/u).map((part, i) =>
    i % 2 === 1 && known.has(part.toLowerCase()) ? make("mark", {text: part}) : document.createTextNode(part));
}

// Shows a topic, word or document beside the table, and keeps it in the address so that the browser's Back works.
function show(kind, number) {
  const address = `#${kind}=${number}`;
  if (location.hash !== address) {
    history.pushState(null, "", address);
    follow();
  }
  const detail = document.getElementById("detail");
  const heading = detail.querySelector("h3");
  if (heading) heading.focus({preventScroll: true});
  const box = detail.getBoundingClientRect();
  if (box.top < 0 || box.top > innerHeight - 120) detail.scrollIntoView({block: "start"});
}

let chooseRow = () => {};
let afterChoice = [];
function follow() {
  const found = /^#(topic|word|document)=(\d+)$/.exec(location.hash);
  const kind = found ? found[1] : "topic", number = found ? Number(found[2]) : topics[0].id;
  const detail = document.getElementById("detail");
  let parts = null;
  if (kind === "topic" && topicOf.has(number)) parts = showTopic(topics[topicOf.get(number)]);
  if (kind === "word" && data.words[number]) parts = showWord(number);
  if (kind === "document" && data.documents && data.documents.list[number]) parts = showDocument(number);
  if (!parts) return;
  detail.replaceChildren(...parts);
  detail.scrollTop = 0;
  chooseRow(kind === "topic" ? topicOf.get(number) : -1);
  for (const act of afterChoice) act(kind, number);
}

// A course over time in a cell of the table.
function sparkline(values) {
  const width = 84, height = 20, most = Math.max(...values, 1e-9);
  const points = values.map((value, i) => `${(width * i / Math.max(1, values.length - 1)).toFixed(1)},${(height - 1 - (height - 2) * value / most).toFixed(1)}`);
  return draw("svg", {width, height, "aria-hidden": "true"}, draw("polyline", {class: "curve", points: points.join(" ")}));
}

function topicTable(parent) {
  const badge = (topic) => topic.unused ? "unused" : topic.like !== undefined ? `like ${topic.like}` : null;
  const columns = [{name: "topic", number: true}, {name: "label", show: (label, i) => {
    const cell = make("span", {}, make("button", {type: "button", class: "link", text: label, onclick: () => show("topic", topics[i].id)}));
    if (badge(topics[i])) cell.append(make("span", {class: "badge", text: badge(topics[i])}));
    return cell;
  }}, {name: "share", number: true, show: (value) => percent(value)}];
  const values = [(topic) => topic.id, (topic) => topic.label, (topic) => topic.share];
  for (const [key, help] of [["coherence", "do its likeliest words come together in documents (NPMI, -1 to 1)"],
    ["exclusivity", "share of its likeliest words' probability that is its own"],
    ["diversity", "1 where no other topic has the same likeliest words"]]) {
    if (!topics.some((topic) => topic[key] !== undefined)) continue;
    columns.push({name: key, number: true, minor: true, help, show: (value) => value === null || value === undefined ? "" : value.toFixed(2)});
    values.push((topic) => topic[key] ?? null);
  }
  if (data.timeline) {
    columns.push({name: "over time", minor: true, show: (_, i) => sparkline(data.timeline.mean[i])});
    values.push((topic) => { // by the centre of its time
      const mean = data.timeline.mean[topicOf.get(topic.id)], sum = mean.reduce((a, b) => a + b, 0);
      return sum > 0 ? String(Math.round(1e6 * mean.reduce((a, b, i) => a + i * b, 0) / sum)).padStart(12, "0") : "";
    });
  }
  const table = sortable({caption: `${topics.length} topics; click a heading to sort`, columns, sorted: 2,
    rows: topics.map((topic) => values.map((value) => value(topic)))});
  chooseRow = table.choose;
  parent.append(make("div", {class: "beside"}, make("div", {class: "card scroll tall"}, table),
    make("div", {class: "card", id: "detail", role: "region", "aria-live": "polite", "aria-label": "What is chosen"})));
  window.addEventListener("popstate", follow);
  follow();
}

function topicSizes(parent) {
  const few = 25;
  let all = topics.length <= few;
  const redraw = picture(parent, (width) => {
    const shown = all ? topics : topics.slice(0, few), line = 19, top = 26, bottom = 40;
    const names = Math.min(250, Math.floor(0.45 * width)), height = top + bottom + line * shown.length;
    const most = Math.max(...topics.map((topic) => topic.share)), x = scale(0, most, names + 8, width - 52);
    const svg = draw("svg", {width, height, role: "group", "aria-label": "Sizes of the topics: share of the words in percent"});
    for (const tick of ticks(0, most, Math.max(2, (width - names) / 90))) {
      svg.append(draw("line", {class: "grid", x1: x(tick), x2: x(tick), y1: top - 4, y2: height - bottom + 4}),
        draw("text", {x: x(tick), y: height - bottom + 20, "text-anchor": "middle", text: `${short(Number((100 * tick).toPrecision(3)))} %`}));
    }
    svg.append(draw("text", {x: (names + width - 44) / 2, y: height - 4, "text-anchor": "middle", text: "share of the words"}),
      draw("text", {class: "title", x: 0, y: 14, text: "topic"}));
    shown.forEach((topic, i) => {
      const y = top + line * i, label = named(topic);
      svg.append(pressable(`topic ${named(topic)}, ${percent(topic.share)}`, () => show("topic", topic.id),
        draw("rect", {x: 0, y, width, height: line, fill: "transparent"}),
        draw("text", {x: names, y: y + 13, "text-anchor": "end", text: shortened(label, names - 2)}),
        draw("rect", {class: "bar", x: names + 8, y: y + 2, width: Math.max(1, x(topic.share) - names - 8), height: line - 5}),
        draw("text", {x: x(topic.share) + 4, y: y + 13, text: percent(topic.share, 1)})));
    });
    return svg;
  });
  if (!all) {
    const more = make("button", {type: "button", text: `show all ${topics.length}`, onclick: () => { all = true; more.remove(); redraw(); }});
    parent.append(make("p", {}, more));
  }
}
