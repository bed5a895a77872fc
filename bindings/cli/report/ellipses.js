// Components of a mixture by two columns: rows as dots, an ellipse of one standard deviation, the number at the mean.
function drawEllipses(part, width, across, up) {
  const height = Math.round(Math.min(520, Math.max(300, 0.6 * width))), left = 58, bottom = 44, size = part.columns.length;
  const points = part.points || [];
  const deviation = (k, column) => Math.sqrt(part.covariances[k][column * size + column]);
  const ends = (column, sign) => part.means.map((mean, k) => mean[column] + sign * 1.15 * deviation(k, column))
    .concat(points.map((point) => point[column])).filter((value) => value !== null);
  const xLow = Math.min(...ends(across, -1)), xHigh = Math.max(...ends(across, 1)), yLow = Math.min(...ends(up, -1)), yHigh = Math.max(...ends(up, 1));
  const x = scale(xLow, xHigh, left + 6, width - 8), y = scale(yLow, yHigh, height - bottom - 6, 8);
  const svg = draw("svg", {width, height, role: "img", "aria-label": `${part.names.length} components ${points.length ? `and ${points.length} rows ` : ""}by ${part.columns[across]} and ${part.columns[up]}`});
  for (const tick of ticks(yLow, yHigh, 6)) svg.append(draw("line", {class: "grid", x1: left, x2: width, y1: y(tick), y2: y(tick)}), draw("text", {x: left - 6, y: y(tick) + 4, "text-anchor": "end", text: short(tick)}));
  for (const tick of ticks(xLow, xHigh, Math.max(2, width / 110))) svg.append(draw("line", {class: "grid", x1: x(tick), x2: x(tick), y1: 8, y2: height - bottom}), draw("text", {x: x(tick), y: height - bottom + 18, "text-anchor": "middle", text: short(tick)}));
  svg.append(draw("path", {class: "axis", d: `M${left} 8V${height - bottom}H${width}`}),
    draw("text", {x: (left + width) / 2, y: height - 6, "text-anchor": "middle", text: part.columns[across]}),
    draw("text", {transform: `translate(11 ${height / 2 - 20}) rotate(-90)`, "text-anchor": "middle", text: part.columns[up]}));
  points.forEach((point, i) => {
    if (point[across] === null || point[up] === null) return; // a missing value has no place
    const k = part.point_components[i];
    svg.append(draw("circle", {class: k < hues.length ? "row" : "row hollow", cx: x(point[across]).toFixed(1), cy: y(point[up]).toFixed(1), r: 2.4,
      fill: hues[k % hues.length], stroke: k < hues.length ? null : hues[k % hues.length]},
      draw("title", {text: `${part.point_names[i]}: component ${part.names[k]}`})));
  });
  part.means.forEach((mean, k) => {
    const cov = part.covariances[k], turn = [];
    const a = Math.sqrt(cov[across * size + across]), b = a > 0 ? cov[up * size + across] / a : 0; // Cholesky's factor
    const c = Math.sqrt(Math.max(0, cov[up * size + up] - b * b));
    for (let i = 0; i <= 48; ++i) {
      const angle = 2 * Math.PI * i / 48;
      turn.push(`${x(mean[across] + a * Math.cos(angle)).toFixed(1)},${y(mean[up] + (across === up ? a * Math.cos(angle) : b * Math.cos(angle) + c * Math.sin(angle))).toFixed(1)}`);
    }
    svg.append(draw("polygon", {points: turn.join(" "), fill: hues[k % hues.length], "fill-opacity": 0.18, stroke: hues[k % hues.length], "stroke-width": 2,
      "stroke-dasharray": k < hues.length ? null : "6 3"}, // hues that come again
      draw("title", {text: `component ${part.names[k]}, weight ${percent(part.weights[k])}`})));
  });
  const means = part.means.map((mean, k) => ({x: x(mean[across]), y: y(mean[up]), radius: 6, texts: [part.names[k]]}));
  for (const label of placeLabels(means, width, height - bottom)) {
    svg.append(draw("text", {class: "name", x: label.x, y: label.y, "text-anchor": label.anchor, text: label.text}));
  }
  return svg;
}
