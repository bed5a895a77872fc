"""Plots of measurements: panels side by side, by number of machines or ranks."""


def panels(count, size, **more):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    return pyplot.subplots(1, count, figsize=size, **more)


def label(axis, title, counted, counts):
    """The numbers of machines or ranks, which are the ticks of the axis."""
    axis.set_title(title)
    axis.set_xlabel(counted)
    axis.set_xticks(counts, [str(count) for count in counts])


def save(figure, path):
    figure.tight_layout()
    figure.savefig(path)
