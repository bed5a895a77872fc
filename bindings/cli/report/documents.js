// The documents of the page as a list.
function documentTable(parent) {
  const documents = data.documents, main = (item) => item.topics[0];
  const columns = [{name: "document", show: (name, i) => make("button", {type: "button", class: "link", text: name, onclick: () => show("document", i)})},
    {name: "main topic", show: (label) => label}, {name: "share", number: true, show: (value) => percent(value, 0)}];
  if (documents.list.some((item) => item.date)) columns.splice(1, 0, {name: "date", minor: true, show: (date) => date});
  const shown = 200, filter = make("input", {type: "text", id: "document-filter", "aria-label": "Show documents that hold", placeholder: "Show documents that hold ..."});
  const rows = documents.list.map((item, i) => {
    const values = [item.name, main(item) ? named(topics[topicOf.get(main(item)[0])]) : "", main(item) ? main(item)[1] : 0];
    if (columns.length > 3) values.splice(1, 0, item.date || "");
    return {values, i, low: `${item.name} ${item.text || ""} ${values.join(" ")}`.toLowerCase()};
  });
  const card = make("div", {class: "card scroll tall"});
  const fillTable = () => {
    const wanted = filter.value.trim().toLowerCase();
    const held = rows.filter((row) => row.low.includes(wanted)), part = held.slice(0, shown);
    const own = columns.map((column) => ({...column, show: (value, place) => column.show(value, part[place].i)}));
    card.replaceChildren(sortable({caption: `${part.length} of ${held.length} documents`, columns: own, sorted: columns.length - 1, rows: part.map((row) => row.values)}));
  };
  filter.addEventListener("input", fillTable);
  fillTable();
  parent.append(make("div", {class: "controls"}, filter), card);
}
