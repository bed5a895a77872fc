"""Speed of the sigmoid belief network and of the variational autoencoder against PyTorch: the same networks, minibatch,
samples, estimator and optimizer (Adam), 784 columns, and their importance-sampled likelihood (5,000 samples per row).
Belief network: one layer of 200 units, 20 rows and 5 samples per step. Autoencoder: 100 latent variables, hidden layers
of 200 and 200 units, 128 rows and 1 sample a step. CPU seconds of one thread, both systems in turn, best of several.

    VTEMPER_LIBRARY=build/release/libvtemper.so python3 tests/bench/network_speed.py [--model KIND] [--threads 2] [--batch N]

Needs NumPy and PyTorch (Debian: python3-numpy, python3-torch). The rows are random: no work depends on their values.
"""
import argparse
import os
import sys
import time

parser = argparse.ArgumentParser()
KINDS = ("sigmoid_belief_network", "variational_autoencoder")
parser.add_argument("--model", choices=KINDS, help="only this one")
parser.add_argument("--steps", type=int, default=400)
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--threads", type=int, default=1, help="also times this many threads of the library")
parser.add_argument("--batch", type=int, help="rows a step instead of 20 and 128")
arguments = parser.parse_args()
for variable in "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS":
    os.environ[variable] = str(max(1, arguments.threads))

import numpy as np
import torch
import torch.nn.functional as functional

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import library

ROWS, COLUMNS, UNITS, LATENT, IMPORTANCE = 5000, 784, 200, 100, 5000
BATCH = {kind: arguments.batch or rows for kind, rows in zip(KINDS, (20, 128))}
SAMPLES = dict(zip(KINDS, (5, 1)))
OPTIONS = dict(zip(KINDS, ({"layers": str(UNITS)}, {"latent": LATENT, "hidden": "%d,%d" % (UNITS, UNITS)})))
torch.set_num_threads(1)
rows = (np.random.RandomState(1).uniform(size=(ROWS, COLUMNS)) < 0.13).astype(np.float64)


class BeliefNetwork(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.model = torch.nn.Linear(UNITS, COLUMNS)
        self.posterior = torch.nn.Linear(COLUMNS, UNITS)
        self.prior = torch.nn.Parameter(torch.zeros(UNITS))
        for layer in self.model, self.posterior:
            torch.nn.init.xavier_uniform_(layer.weight)
            torch.nn.init.zeros_(layer.bias)

    def scores(self, x, mean, samples):
        """log p(x, h) and log q(h | x) [samples x rows]; the logits of q are computed once per row."""
        eta = self.posterior(x - mean)
        with torch.no_grad():
            h = torch.bernoulli(torch.sigmoid(eta).expand(samples, -1, -1))
        log_q = (h * eta).sum(-1) - functional.softplus(eta).sum(-1)
        logits = self.model(h)
        log_p = ((x * logits).sum(-1) - functional.softplus(logits).sum(-1)
                 + (h * self.prior).sum(-1) - functional.softplus(self.prior).sum())
        return log_p, log_q


    def loss(self, x, mean, samples):
        log_p, log_q = self.scores(x, mean, samples)
        with torch.no_grad():
            signal = log_p - log_q
            signal = (signal - signal.mean(0)) * samples / (samples - 1)
        return -(log_p + signal * log_q).mean()


class Autoencoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        linear, rectified = torch.nn.Linear, torch.nn.ReLU
        self.encoder = torch.nn.Sequential(linear(COLUMNS, UNITS), rectified(), linear(UNITS, UNITS), rectified(),
                                           linear(UNITS, 2 * LATENT))
        self.decoder = torch.nn.Sequential(linear(LATENT, UNITS), rectified(), linear(UNITS, UNITS), rectified(),
                                           linear(UNITS, COLUMNS))

    def parts(self, x, samples):
        mu, s = self.encoder(x).chunk(2, -1)
        sigma = 1e-6 + functional.softplus(s)
        noise = torch.randn(samples, *mu.shape)
        z = mu + sigma * noise
        likelihood = -functional.binary_cross_entropy_with_logits(
            self.decoder(z), x.expand(samples, -1, -1), reduction="none").sum(-1)
        return mu, sigma, noise, z, likelihood

    def scores(self, x, mean, samples):
        """log p(x, z) and log q(z | x), up to the same constant [samples x rows]."""
        mu, sigma, noise, z, likelihood = self.parts(x, samples)
        return likelihood - 0.5 * z.square().sum(-1), -0.5 * noise.square().sum(-1) - sigma.log().sum(-1)

    def loss(self, x, mean, samples):
        mu, sigma, noise, z, likelihood = self.parts(x, samples)
        divergence = (0.5 * (mu.square() + sigma.square() - 1) - sigma.log()).sum(-1)
        return divergence.mean() - likelihood.mean()


NETWORKS = dict(zip(KINDS, (BeliefNetwork, Autoencoder)))


def torch_steps(kind, count):
    torch.manual_seed(1)
    network = NETWORKS[kind]()
    adam = torch.optim.Adam(network.parameters(), lr=1e-3, eps=1e-6)
    data = torch.tensor(rows, dtype=torch.float32)
    mean = data.mean(0)
    batch = BATCH[kind]
    began = time.process_time()
    for step in range(count):
        first = step * batch % (ROWS - batch)
        loss = network.loss(data[first:first + batch], mean, SAMPLES[kind])
        adam.zero_grad(set_to_none=True)
        loss.backward()
        adam.step()
    return (time.process_time() - began) / count


def torch_likelihood(kind, count):
    network = NETWORKS[kind]()
    data = torch.tensor(rows[:count], dtype=torch.float32)
    began = time.process_time()
    with torch.no_grad():
        for x in data:
            log_p, log_q = network.scores(x[None], data.mean(0), IMPORTANCE)
            torch.logsumexp(log_p - log_q, 0)
    return (time.process_time() - began) / count


def our_model(kind):
    return library.model(kind, samples=SAMPLES[kind], **OPTIONS[kind])


def our_steps(kind, data, count, threads, clock):
    optimizer = library.optimizer(our_model(kind), data, batch_size=BATCH[kind], threads=threads, report_every=100)
    library.step(optimizer, 50)
    began = clock()
    library.step(optimizer, count)
    return (clock() - began) / count


def our_likelihood(model, data, count, threads, clock):
    began = clock()
    model.evaluate(data, "log_marginal", samples=IMPORTANCE, threads=threads)
    return (clock() - began) / count


def flops(kind):
    """Floating-point operations of the products of a step."""
    if kind == "sigmoid_belief_network":
        return 2 * UNITS * COLUMNS * BATCH[kind] * 2 * (1 + SAMPLES[kind])
    weights = 2 * UNITS * COLUMNS + 2 * UNITS * UNITS + 3 * LATENT * UNITS
    return 2 * BATCH[kind] * (3 * weights - COLUMNS * UNITS)


def compare(kind, data):
    likelihood_rows = 10
    few = library.dense(rows[:likelihood_rows])
    model = our_model(kind)
    library.initialize(model, data, 1)
    times = {name: [] for name in ("ours", "torch", "ours likelihood", "torch likelihood", "one", "many",
                                   "one likelihood", "many likelihood")}
    for _ in range(arguments.rounds):
        times["ours"].append(our_steps(kind, data, arguments.steps, 1, time.process_time))
        times["torch"].append(torch_steps(kind, arguments.steps // 2))
        times["ours likelihood"].append(our_likelihood(model, few, likelihood_rows, 1, time.process_time))
        times["torch likelihood"].append(torch_likelihood(kind, likelihood_rows))
        if arguments.threads > 1:
            for name, threads in (("one", 1), ("many", arguments.threads)):
                times[name].append(our_steps(kind, data, arguments.steps, threads, time.perf_counter))
                times[name + " likelihood"].append(
                    our_likelihood(model, few, likelihood_rows, threads, time.perf_counter))
    best = {name: min(values) for name, values in times.items() if values}
    print("\n| %s | vtemper | PyTorch %s | ratio |" % (kind, torch.__version__))
    print("|---|---|---|---|")
    print("| steps a second | %.0f | %.0f | %.1f |" % (1 / best["ours"], 1 / best["torch"], best["torch"] / best["ours"]))
    print("| ms a row's likelihood | %.1f | %.1f | %.1f |" % (
        1000 * best["ours likelihood"], 1000 * best["torch likelihood"],
        best["torch likelihood"] / best["ours likelihood"]))
    print("products of a step: %.1f GFLOP/s over the whole step" % (flops(kind) / best["ours"] / 1e9))
    if arguments.threads > 1:
        print("%d threads against one, wall clock: steps %.2f times, likelihood %.2f times" % (
            arguments.threads, best["one"] / best["many"], best["one likelihood"] / best["many likelihood"]))


def main():
    print(library.build_info().replace("\n", "; "))
    data = library.dense(rows)
    for kind in [arguments.model] if arguments.model else KINDS:
        compare(kind, data)


main()
