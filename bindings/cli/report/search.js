// Search of words, topics and documents: a field with a list, worked by keys or by hand.
function searchItems() {
  const items = topics.map((topic) => ({name: named(topic), kind: "topic", number: topic.id}));
  data.words.forEach((word, i) => items.push({name: word.name, kind: "word", number: i}));
  if (data.documents) {
    data.documents.list.forEach((item, i) => items.push({name: item.name, more: item.text, kind: "document", number: i}));
  }
  return items.map((item) => ({...item, low: item.name.toLowerCase(), lowMore: (item.more || "").toLowerCase()}));
}

function search() {
  const items = searchItems(), most = 12;
  const what = data.documents ? "words, topics and documents" : "words and topics";
  const list = make("ul", {id: "found", role: "listbox", "aria-label": "Found", hidden: true});
  const said = make("p", {role: "status", class: "soft", style: {position: "absolute", left: "-9999px"}});
  const field = make("input", {type: "text", id: "query", role: "combobox", "aria-expanded": "false", "aria-controls": "found",
    "aria-autocomplete": "list", autocomplete: "off", spellcheck: "false", placeholder: `Search ${what}`, "aria-label": `Search ${what}`});
  let found = [], at = -1;
  const close = () => {
    list.hidden = true;
    at = -1;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  };
  const choose = (item) => { close(); field.value = item.name; show(item.kind, item.number); };
  const point = (place) => {
    at = place;
    [...list.children].forEach((entry, i) => entry.setAttribute("aria-selected", i === at));
    if (at < 0) return field.removeAttribute("aria-activedescendant");
    field.setAttribute("aria-activedescendant", `found-${at}`);
    list.children[at].scrollIntoView({block: "nearest"});
  };
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    if (!wanted) return close();
    // What is called so, what begins so, what holds it in its name, then documents that hold it in their text.
    const rank = (item) => item.low === wanted ? 0 : item.low.startsWith(wanted) ? 1 : item.low.includes(wanted) ? 2 : item.lowMore.includes(wanted) ? 3 : 4;
    found = items.map((item, i) => [rank(item), i]).filter(([order]) => order < 4).sort((a, b) => a[0] - b[0] || a[1] - b[1]).slice(0, most).map(([, i]) => items[i]);
    list.replaceChildren(...found.map((item, i) => make("li", {id: `found-${i}`, role: "option", "aria-selected": "false", onclick: () => choose(item)},
      make("span", {text: item.name}), make("span", {text: item.kind}))));
    said.textContent = found.length ? `${found.length} found` : "nothing found";
    if (!found.length) list.append(make("li", {role: "option", "aria-disabled": "true", "aria-selected": "false", text: "nothing found"}));
    list.hidden = false;
    field.setAttribute("aria-expanded", "true");
    point(-1);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return close();
    if (list.hidden || !found.length) return;
    if (event.key === "ArrowDown") { event.preventDefault(); point((at + 1) % found.length); }
    if (event.key === "ArrowUp") { event.preventDefault(); point((at + found.length - (at < 0 ? 0 : 1)) % found.length); }
    if (event.key === "Enter") { event.preventDefault(); choose(found[Math.max(at, 0)]); }
  });
  list.addEventListener("mousedown", (event) => event.preventDefault()); // the field stays the one that is worked
  field.addEventListener("blur", close);
  document.getElementById("search").append(field, list, said);
}
