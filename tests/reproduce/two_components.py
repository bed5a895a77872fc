"""The ladder of temperatures of a two-component mixture in one dimension (Mandt 2016, Figure 1; Katahira 2008).

    python3 two_components.py [--svg FILE] [--sets 20] [--starts 50]

x_i ~ 0.3 N(m_0, 1) + 0.7 N(m_1, 1), the weights and variances known, m_k ~ N(0, s0); q(m_k) = N(mean_k, s_k). The
library's gaussian_mixture learns weights and variances, so this program computes the profile objective itself: that of
the annealed bound with q(z) and s_k at their best for given means,
    L(mean_0, mean_1; T) = sum_i T log sum_k exp{ [log pi_k + log N(x_i; mean_k, 1) - s_k / 2] / T } / T - sum_k KL,
with coordinate updates 1/s_k = 1/s0 + w sum_i phi_ik, mean_k = s_k w sum_i phi_ik x_i, w = 1/T. Needs numpy; the picture
needs matplotlib.
"""
import argparse

import numpy as np

WEIGHTS = np.array([0.3, 0.7])
CENTRES = np.array([-4.0, 4.0])
PRIOR_VARIANCE = 100.0
LADDER = (20.0, 13.0, 8.5, 1.0)
ROWS = 300


def draw(seed):
    random = np.random.RandomState(seed)
    return CENTRES[(random.rand(ROWS) < WEIGHTS[1]).astype(int)] + random.randn(ROWS)


def responsibilities(x, means, variances, temperature):
    """phi [..., N, 2] and log of the local normalisers [..., N]; means and variances [..., 2]."""
    logits = (np.log(WEIGHTS) - 0.5 * np.log(2 * np.pi) - 0.5 * variances[..., None, :]
              - 0.5 * (x[:, None] - means[..., None, :]) ** 2) / temperature
    top = logits.max(-1, keepdims=True)
    total = np.exp(logits - top).sum(-1, keepdims=True)
    return np.exp(logits - top) / total, (top + np.log(total))[..., 0]


def update(x, means, variances, temperature):
    phi, _ = responsibilities(x, means, variances, temperature)
    counts = phi.sum(-2) / temperature
    variances = 1 / (1 / PRIOR_VARIANCE + counts)
    return variances * (phi * x[:, None]).sum(-2) / temperature, variances


def objective(x, means, variances, temperature):
    local = responsibilities(x, means, variances, temperature)[1].sum(-1)
    divergence = 0.5 * ((variances + means ** 2) / PRIOR_VARIANCE - 1 - np.log(variances / PRIOR_VARIANCE)).sum(-1)
    return local - divergence


def profile(x, means, temperature):
    """The objective over means [..., 2] with s_k at its best."""
    variances = np.full(means.shape, 1.0 / ROWS)
    for _ in range(20):
        phi, _ = responsibilities(x, means, variances, temperature)
        variances = 1 / (1 / PRIOR_VARIANCE + phi.sum(-2) / temperature)
    return objective(x, means, variances, temperature)


def ascend(x, means, temperature, steps):
    variances = np.full(means.shape, 1.0 / ROWS)
    for _ in range(steps):
        means, variances = update(x, means, variances, temperature)
    return means, variances


def optima(x, temperature):
    """Distinct fixed points of the updates from a grid of starts, best first."""
    axis = np.array([-8.0, -3.0, 2.0, 7.0])
    means, variances = ascend(x, np.array([(a, b) for a in axis for b in axis]), temperature, 1000)
    # Saddles on the diagonal are left by a small step; what returns is an optimum.
    again = ascend(x, means + [1e-2, -1e-2], temperature, 1000)[0]
    stays = np.abs(again - means).max(1) < 1e-2
    found = []
    for value, mean in sorted(zip(objective(x, means, variances, temperature)[stays], map(tuple, means[stays])),
                              reverse=True):
        if all(np.abs(np.subtract(mean, other)).max() > 0.1 for other, _ in found):
            found.append((mean, value))
    return found


def schedule(start, steps, shape):
    if shape == "geometric":
        return np.maximum(1, start * 0.95 ** np.arange(steps))
    return np.maximum(1, start + (1 - start) * np.arange(steps) / max(steps, 1))


def successes(x, best, temperatures, starts, seed):
    """Share of random starts that end in the better optimum."""
    means = np.random.RandomState(seed).uniform(-9, 9, (starts, 2))
    variances = np.full(means.shape, 1.0 / ROWS)
    for temperature in list(temperatures) + [1.0] * 60:
        means, variances = update(x, means, variances, temperature)
    return np.mean(np.abs(means - best).max(1) < 0.5)


def picture(x, path):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    axis = np.linspace(-9, 9, 61)
    grid = np.stack(np.meshgrid(axis, axis), -1)
    figure, panels = pyplot.subplots(1, len(LADDER), figsize=(13, 3.4), constrained_layout=True)
    for panel, temperature in zip(panels, LADDER):
        values = profile(x, grid, temperature)
        top = values.max()
        levels = top - (top - np.percentile(values, 20)) * np.linspace(1, 0, 16) ** 2
        panel.contourf(axis, axis, values, levels=levels, extend="min", cmap="viridis")
        panel.contour(axis, axis, values, levels=levels, colors="white", linewidths=0.3)
        for i, (mean, _) in enumerate(optima(x, temperature)):
            panel.plot(*mean, "o", color="red" if i == 0 else "white", markeredgecolor="black", markersize=6)
        panel.set(title="T = %g" % temperature, xlabel="mean of component 0 (weight 0.3)")
    panels[0].set_ylabel("mean of component 1 (weight 0.7)")
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--svg", default="two_components.svg")
    parser.add_argument("--sets", type=int, default=10)
    parser.add_argument("--starts", type=int, default=50)
    arguments = parser.parse_args()

    print("Claim (Mandt 2016, section 2.2 and Figure 1): at T = 20 the annealed objective has a single optimum, falling\n"
          "temperatures (13, 8.5, 1) reveal the two, and annealing ends in the better one.\n")
    x = draw(1)
    print("One data set of %d rows, means -4 and 4, weights 0.3 and 0.7, sample variance %.2f (the critical temperature\n"
          "of component variance 1):\n" % (ROWS, x.var()))
    print("| T | optima | places (best first) | gap of the objective |\n|---|---|---|---|")
    counts = []
    for temperature in LADDER:
        found = optima(x, temperature)
        counts.append(len(found))
        places = ", ".join("(%.2f, %.2f)" % mean for mean, _ in found)
        gap = "%.2f" % (found[0][1] - found[1][1]) if len(found) > 1 else ""
        print("| %g | %d | %s | %s |" % (temperature, len(found), places, gap))
    ladder_holds = counts[0] == 1 and counts[-1] == 2 and sorted(counts) == counts

    methods = [("vi", schedule(1, 0, "linear")), ("annealing 5, 50 steps", schedule(5, 50, "linear")),
               ("annealing 20, 50 steps", schedule(20, 50, "linear")),
               ("annealing 20, 400 steps", schedule(20, 400, "linear")),
               ("annealing 50, 50 steps", schedule(50, 50, "linear")),
               ("annealing 50, geometric 0.95", schedule(50, 80, "geometric"))]
    print("\n%d further data sets, %d random starts each; share of starts that end in the better optimum:\n"
          % (arguments.sets, arguments.starts))
    print("| method | mean | least | most |\n|---|---|---|---|")
    shares = {}
    for name, temperatures in methods:
        each = []
        for seed in range(2, 2 + arguments.sets):
            rows = draw(seed)
            best = np.array(optima_of_one(rows))
            each.append(successes(rows, best, temperatures, arguments.starts, 1000 + seed))
        shares[name] = np.mean(each)
        print("| %s | %.3f | %.2f | %.2f |" % (name, np.mean(each), np.min(each), np.max(each)), flush=True)
    picture(x, arguments.svg)
    print("\nVerdict: the ladder %s; annealing from T = 50, well above the critical temperature, ends in the better optimum\n"
          "from %.0f %% of the starts, from T = 5, below it, from %.0f %%, vi from %.0f %%."
          % ("holds" if ladder_holds else "does not hold", 100 * shares["annealing 50, 50 steps"],
             100 * shares["annealing 5, 50 steps"], 100 * shares["vi"]))


def optima_of_one(x):
    """The better optimum at T = 1, by ascent from the two orders of the true means."""
    means = np.array([CENTRES, CENTRES[::-1]])
    variances = np.full(means.shape, 1.0 / ROWS)
    for _ in range(300):
        means, variances = update(x, means, variances, 1.0)
    return means[np.argmax(objective(x, means, variances, 1.0))]


if __name__ == "__main__":
    main()
