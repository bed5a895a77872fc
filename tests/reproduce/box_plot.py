"""Box plots as SVG, without a plotting library."""

COLOURS = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb", "#222222"]


def quantile(ordered, share):
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def ticks(low, high):
    step = 1.0
    while step < (high - low) / 6:
        step *= 10
    while step > (high - low) / 3:
        step /= 2
    first = int(low / step) * step
    return [first + i * step for i in range(30) if low <= first + i * step <= high]


def write(path, panels, series, label):
    """panels: [(title, {group: {series: values}})]; a box spans the quartiles, a line marks the median, whiskers the
    range. `label` is the axis label of each panel."""
    width, height, left, top, gap = 1000, 240, 90, 40, 50
    total = top + len(panels) * (height + gap) + 20
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">'
           % (width, total), '<rect width="100%" height="100%" fill="white"/>']
    for i, name in enumerate(series):
        x = left + i * (width - left) // len(series)
        out.append('<rect x="%d" y="12" width="12" height="12" fill="%s"/>' % (x, COLOURS[i % len(COLOURS)]))
        out.append('<text x="%d" y="22" font-size="10">%s</text>' % (x + 15, name))
    for row, (title, groups) in enumerate(panels):
        base = top + row * (height + gap) + 20
        values = [v for group in groups.values() for name in series for v in group[name]]
        low, high = min(values), max(values)
        margin = 0.05 * (high - low) or 1
        low, high = low - margin, high + margin

        def y_of(value):
            return base + height - (value - low) / (high - low) * height

        out.append('<text x="%d" y="%d" font-weight="bold">%s</text>' % (left, base - 6, title))
        out.append('<text transform="translate(14 %d) rotate(-90)" text-anchor="middle">%s</text>'
                   % (base + height // 2, label))
        for value in ticks(low, high):
            out.append('<path d="M%d %.1fH%d" stroke="#dddddd"/>' % (left, y_of(value), width - 10))
            out.append('<text x="%d" y="%.1f" text-anchor="end">%g</text>' % (left - 6, y_of(value) + 4, value))
        slot = (width - left - 10) / len(groups)
        box = 0.8 * slot / len(series)
        for g, (group, by_series) in enumerate(groups.items()):
            out.append('<text x="%.1f" y="%d" text-anchor="middle">%s</text>'
                       % (left + (g + 0.5) * slot, base + height + 16, group))
            for i, name in enumerate(series):
                ordered = sorted(by_series[name])
                x = left + g * slot + 0.1 * slot + i * box
                q = [y_of(quantile(ordered, share)) for share in (0, 0.25, 0.5, 0.75, 1)]
                colour = COLOURS[i % len(COLOURS)]
                out.append('<path d="M%.1f %.1fV%.1f" stroke="%s"/>' % (x + box / 2, q[0], q[4], colour))
                out.append('<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s" fill-opacity="0.6"/>'
                           % (x + 0.1 * box, q[3], 0.8 * box, max(q[1] - q[3], 0.5), colour))
                out.append('<path d="M%.1f %.1fh%.1f" stroke="black"/>' % (x + 0.1 * box, q[2], 0.8 * box))
    out.append('</svg>')
    with open(path, "w") as file:
        file.write("\n".join(out) + "\n")
