"""Steps of a deep exponential family: documents of 260 distinct words out of 2,000, K = 50, 64 documents and 32 samples a
step. Steps a second of the processor's time, the best of several turns.

    VTEMPER_LIBRARY=build/release/libvtemper.so python3 tests/bench/exponential_family_speed.py [--threads 1]
"""
import argparse
import os
import random
import tempfile
import time

import library

WORDS, DISTINCT, DOCUMENTS = 2000, 260, 512


def corpus():
    numbers = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "corpus.ldac")
        with open(path, "w", encoding="ascii") as file:
            for _ in range(DOCUMENTS):
                words = sorted(numbers.sample(range(WORDS), DISTINCT))
                file.write("%d %s\n" % (DISTINCT, " ".join("%d:%d" % (word, numbers.randint(1, 4)) for word in words)))
        return library.read_data(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--steps", type=int, default=60)
    arguments = parser.parse_args()
    data = corpus()
    print(library.build_info())
    print("| control variate | method | steps a second |\n|---|---|---|")
    clock = time.process_time if arguments.threads == 1 else time.perf_counter
    optimizers = {}
    for control in "round_robin", "leave_one_out":
        for method in "vi", "proximity":
            model = library.model("deep_exponential_family", latent=50, samples=32, control_variate=control)
            optimizers[control, method] = library.optimizer(model, data, method=method, batch_size=64, seed=1,
                                                            threads=arguments.threads, report_every=1000)
            library.step(optimizers[control, method], 10)
    best = dict.fromkeys(optimizers, 0.0)
    for _ in range(arguments.turns):
        for key, optimizer in optimizers.items():
            began = clock()
            library.step(optimizer, arguments.steps)
            best[key] = max(best[key], arguments.steps / (clock() - began))
    for (control, method), speed in best.items():
        print("| %s | %s | %.0f |" % (control, method, speed))


if __name__ == "__main__":
    main()
