"""Pictures of measurements: panels side by side over numbers of machines or ranks."""


def panels(count, size, **more):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    return pyplot.subplots(1, count, figsize=size, **more)


def label(axis, title, counted, counts):
    """Over so many machines or ranks, which are the marks of the axis."""
    axis.set_title(title)
    axis.set_xlabel(counted)
    axis.set_xticks(counts, [str(count) for count in counts])


def save(figure, path):
    figure.tight_layout()
    figure.savefig(path)
