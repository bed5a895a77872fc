// The page from its parts.
section("facts", "About this model", null, (parent) => {
  parent.append(make("dl", {class: "facts"}, ...data.facts.map(([name, value]) =>
    make("div", {}, make("dt", {text: name}), make("dd", {text: value})))));
  for (const warning of data.warnings) parent.append(make("p", {class: "warning", text: warning}));
});
if (topics.length) {
  section("topics", "Topics", data.topics_note, topicTable);
  search();
  section("sizes", "Sizes", null, topicSizes);
  section("map", "Map", mapHelp, topicMap);
  if (data.timeline) section("time", "Topics over time", data.timeline.note, overTime);
  if (data.documents) section("documents", "Documents", data.documents.note, documentTable);
} else {
  document.getElementById("search").hidden = true;
}
data.sections.forEach((part, i) => section(`part-${i}`, part.title, part.note, (parent) => renderers[part.type](part, parent)));
if (data.trace.passes.length) section("course", "Course of the fit", null, fitCourse);
else section("course", "Course of the fit", "The model holds no curve of its fit.", () => {});
if (topics.length) follow();
// Cards that came later have made earlier ones narrower.
redraws.forEach((redraw) => redraw());
