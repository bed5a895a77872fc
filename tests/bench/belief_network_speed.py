"""Speed of the sigmoid belief network against PyTorch: the same network, minibatch, samples, estimator and optimizer
(one layer of 200 units, 784 columns, 20 rows and 5 samples a step, Adam), and its importance-sampled likelihood
(5,000 samples a row). CPU seconds of one thread, both systems in turn, best of several.

    VTEMPER_LIBRARY=build/release/libvtemper.so python3 tests/bench/belief_network_speed.py [--threads 2]

Needs NumPy and PyTorch (Debian: python3-numpy, python3-torch). The rows are random: no work depends on their values.
"""
import argparse
import os
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=400)
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--threads", type=int, default=1, help="also times this many threads of the library")
arguments = parser.parse_args()
for variable in "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS":
    os.environ[variable] = str(max(1, arguments.threads))

import numpy as np
import torch
import torch.nn.functional as functional

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import library

ROWS, COLUMNS, UNITS, BATCH, SAMPLES, IMPORTANCE = 5000, 784, 200, 20, 5, 5000
torch.set_num_threads(1)
rows = (np.random.RandomState(1).uniform(size=(ROWS, COLUMNS)) < 0.13).astype(np.float64)


class Network(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.model = torch.nn.Linear(UNITS, COLUMNS)
        self.posterior = torch.nn.Linear(COLUMNS, UNITS)
        self.prior = torch.nn.Parameter(torch.zeros(UNITS))
        for layer in self.model, self.posterior:
            torch.nn.init.xavier_uniform_(layer.weight)
            torch.nn.init.zeros_(layer.bias)

    def scores(self, x, mean, samples):
        """log p(x, h) and log q(h | x), samples x rows; the logits of q once a row."""
        eta = self.posterior(x - mean)
        with torch.no_grad():
            h = torch.bernoulli(torch.sigmoid(eta).expand(samples, -1, -1))
        log_q = (h * eta).sum(-1) - functional.softplus(eta).sum(-1)
        logits = self.model(h)
        log_p = ((x * logits).sum(-1) - functional.softplus(logits).sum(-1)
                 + (h * self.prior).sum(-1) - functional.softplus(self.prior).sum())
        return log_p, log_q


def torch_steps(count):
    torch.manual_seed(1)
    network = Network()
    adam = torch.optim.Adam(network.parameters(), lr=1e-3, eps=1e-6)
    data = torch.tensor(rows, dtype=torch.float32)
    mean = data.mean(0)
    began = time.process_time()
    for step in range(count):
        first = step * BATCH % (ROWS - BATCH)
        log_p, log_q = network.scores(data[first:first + BATCH], mean, SAMPLES)
        with torch.no_grad():
            signal = log_p - log_q
            signal = (signal - signal.mean(0)) * SAMPLES / (SAMPLES - 1)
        loss = -(log_p + signal * log_q).mean()
        adam.zero_grad(set_to_none=True)
        loss.backward()
        adam.step()
    return (time.process_time() - began) / count


def torch_likelihood(count):
    network = Network()
    data = torch.tensor(rows[:count], dtype=torch.float32)
    began = time.process_time()
    with torch.no_grad():
        for x in data:
            log_p, log_q = network.scores(x[None], data.mean(0), IMPORTANCE)
            torch.logsumexp(log_p - log_q, 0)
    return (time.process_time() - began) / count


def our_steps(data, count, threads, clock):
    model = library.model("sigmoid_belief_network", layers=str(UNITS), samples=SAMPLES)
    optimizer = library.optimizer(model, data, batch_size=BATCH, threads=threads, report_every=100)
    library.step(optimizer, 50)
    began = clock()
    library.step(optimizer, count)
    return (clock() - began) / count


def our_likelihood(model, data, count):
    began = time.process_time()
    library.evaluate(model, data, None, "log_marginal", samples=IMPORTANCE, threads=1)
    return (time.process_time() - began) / count


def main():
    print(library.build_info().replace("\n", "; "))
    data = library.dense(rows)
    likelihood_rows = 10
    few = library.dense(rows[:likelihood_rows])
    model = library.model("sigmoid_belief_network", layers=str(UNITS), samples=SAMPLES)
    library.initialize(model, data, 1)
    times = {name: [] for name in ("ours", "torch", "ours likelihood", "torch likelihood", "one", "many")}
    for _ in range(arguments.rounds):
        times["ours"].append(our_steps(data, arguments.steps, 1, time.process_time))
        times["torch"].append(torch_steps(arguments.steps // 2))
        times["ours likelihood"].append(our_likelihood(model, few, likelihood_rows))
        times["torch likelihood"].append(torch_likelihood(likelihood_rows))
        if arguments.threads > 1:
            times["one"].append(our_steps(data, arguments.steps, 1, time.perf_counter))
            times["many"].append(our_steps(data, arguments.steps, arguments.threads, time.perf_counter))
    best = {name: min(values) for name, values in times.items() if values}
    print("| what | vtemper | PyTorch %s | ratio |" % torch.__version__)
    print("|---|---|---|---|")
    print("| steps a second | %.0f | %.0f | %.1f |" % (1 / best["ours"], 1 / best["torch"], best["torch"] / best["ours"]))
    print("| ms a row's likelihood | %.1f | %.1f | %.1f |" % (
        1000 * best["ours likelihood"], 1000 * best["torch likelihood"],
        best["torch likelihood"] / best["ours likelihood"]))
    flops = 2 * UNITS * COLUMNS * (BATCH + SAMPLES * BATCH + SAMPLES * BATCH + BATCH)
    print("products of a step: %.1f GFLOP/s over the whole step" % (flops / best["ours"] / 1e9))
    if arguments.threads > 1:
        print("%d threads against one, wall clock: %.2f times" % (arguments.threads, best["one"] / best["many"]))


main()
