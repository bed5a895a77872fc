// The course of the fit and of topics over time.

// Means over a window where values jump up and down from step to step; others stay as they are.
function smooth(values) {
  const known = values.filter(Number.isFinite);
  let turns = 0;
  for (let i = 2; i < known.length; ++i) turns += (known[i] - known[i - 1]) * (known[i - 1] - known[i - 2]) < 0;
  if (known.length < 8 || turns < 0.2 * known.length) return {values, window: 1};
  const half = Math.max(2, Math.round(known.length / 24));
  return {window: 2 * half + 1, values: values.map((value, i) => {
    if (!Number.isFinite(value)) return value;
    const reach = Math.min(half, i, values.length - 1 - i); // even on both sides, so that the ends are not bent
    const near = values.slice(i - reach, i + reach + 1).filter(Number.isFinite);
    return near.reduce((a, b) => a + b, 0) / near.length;
  })};
}

function fitCourse(parent) {
  const trace = data.trace, pair = make("div", {class: "pair"});
  const number = (value) => value === null ? NaN : value;
  parent.append(pair);
  const scored = trace.predictive.some((value) => value !== null);
  const quality = (scored ? trace.predictive : trace.objective).map(number);
  const {values, window} = smooth(quality);
  const title = scored ? "held-out score" : trace.objective_name;
  const unit = scored ? trace.score_unit : "nats";
  if (values.some(Number.isFinite)) {
    // The first steps are so much worse than the rest that they would flatten it.
    const known = values.map((_, i) => i).filter((i) => Number.isFinite(values[i]));
    const from = known.length > 40 ? known[Math.round(0.02 * known.length)] : known[0];
    picture(pair, (width) => [plot({width, title: `${title} (${unit})`, xLabel: "passes over the data", yLabel: unit,
      describe: `${title} over the passes, ending at ${short(values[known[known.length - 1]])} ${unit}`,
      curves: [{x: trace.passes.slice(from), y: values.slice(from), dots: known.length <= 60}]}),
    window > 1 ? make("p", {class: "soft", text: `Each point is the mean of ${window} reports: single steps see a few rows only.`}) : null].filter(Boolean));
  }
  const temperature = trace.temperature.map(number);
  if (new Set(temperature.filter(Number.isFinite)).size > 1) {
    picture(pair, (width) => plot({width, title: "temperature", xLabel: "passes over the data", yLabel: "temperature",
      describe: `temperature over the passes, from ${short(temperature[0])} to ${short(temperature[temperature.length - 1])}`,
      curves: [{x: trace.passes, y: temperature, style: "second"}]}));
  }
}

function overTime(parent) {
  const time = data.timeline;
  const choice = make("select", {id: "time-topic", "aria-label": "Topic"},
    ...topics.map((topic, place) => make("option", {value: place, text: named(topic)})));
  parent.append(make("div", {class: "controls"}, make("label", {}, "topic ", choice)));
  const redraw = picture(parent, (width) => {
    const place = Number(choice.value), mean = time.mean[place], error = time.error[place];
    const low = mean.map((value, i) => error[i] === null ? NaN : Math.max(0, 100 * (value - error[i])));
    const high = mean.map((value, i) => error[i] === null ? NaN : 100 * (value + error[i]));
    return plot({width, height: 280, title: `topic ${named(topics[place])}`, xLabel: time.length, yLabel: "share, %", zero: true,
      names: time.periods, describe: `Share of topic ${named(topics[place])} by ${time.length}`,
      curves: [{x: mean.map((_, i) => i), y: mean.map((value) => 100 * value), band: low.map((value, i) => [value, high[i]]), dots: mean.length <= 40}]});
  });
  choice.addEventListener("change", redraw);
  afterChoice.push((kind, number) => {
    if (kind !== "topic") return;
    choice.value = topicOf.get(number);
    redraw();
  });
}
