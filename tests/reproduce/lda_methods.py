"""Held-out predictive and speed of the methods on text: the tables of lda.md.

    python3 lda_methods.py --data FOLDER [--sets debian_desc ...] [--topics 100] [--batch 100 1000] [--seeds 3]
                           [--passes 6] [--at 1 3 6] [--model NAME=VALUE ...] METHOD[:NAME=VALUE,...] ...

FOLDER holds <set>/train.ldac.gz and test.ldac.gz. Every row: the mean over the seeds at each number of passes, the range
over the seeds at the last, and documents per second of the steps. The test documents are split in halves once (seed 1).
--documents and --test-documents take that many random documents (0: all).
--validation scores 5 % of the training documents, left out of the fit, instead: settings are chosen on those.
Seconds are the library's own, one thread unless --threads says otherwise.
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import library  # noqa: E402


def parse_settings(text):
    return dict(item.split("=", 1) for item in text.split(",") if item)


def fit(train, halves, model_options, method, settings, batch, seed, arguments):
    model = library.model(**model_options)
    optimizer = library.optimizer(model, train, method=method, seed=seed, batch_size=batch, threads=arguments.threads,
                                  max_passes=arguments.passes, **settings)
    documents = library.rows(train)
    curve, done, report = [], 0, None
    for passes in arguments.at:
        steps = -(-int(passes * documents) // batch)
        report = library.step(optimizer, steps - done)
        done = steps
        curve.append(library.evaluate(model, *halves))
    return curve, report


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--sets", nargs="+", default=["debian_desc", "simplewiki", "arxiv_pre2007"])
    parser.add_argument("--topics", type=int, default=100)
    parser.add_argument("--batch", type=int, nargs="+", default=[100, 1000])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--passes", type=float, default=6)
    parser.add_argument("--at", type=float, nargs="+", default=[1, 3, 6])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--model", nargs="*", default=[])
    parser.add_argument("--documents", type=int, default=0)
    parser.add_argument("--test-documents", type=int, default=0)
    parser.add_argument("--validation", action="store_true")
    parser.add_argument("methods", nargs="*", default=["svi", "annealing", "tempering", "local_tempering"])
    arguments = parser.parse_args()
    model_options = dict({"topics": arguments.topics}, **parse_settings(",".join(arguments.model)))

    print(library.build_info())
    print("topics %d, %s; %d seeds; one number a column of passes: mean held-out log probability per token (nats)"
          % (arguments.topics, " ".join(arguments.model) or "default model", arguments.seeds))
    print("| set | batch | method | " + " | ".join("%g passes" % p for p in arguments.at) + " | range | T | documents/s |")
    print("|---|---|---|" + "---|" * (len(arguments.at) + 3))
    for name in arguments.sets:
        train, halves = library.text_set(arguments.data, name, arguments.documents, arguments.test_documents,
                                         validation=0.05 if arguments.validation else 0.0)
        for batch in arguments.batch:
            for entry in arguments.methods:
                method, _, settings = entry.partition(":")
                runs = [fit(train, halves, model_options, method, parse_settings(settings), batch, seed, arguments)
                        for seed in range(1, arguments.seeds + 1)]
                means = [sum(curve[i] for curve, _ in runs) / len(runs) for i in range(len(arguments.at))]
                last = [curve[-1] for curve, _ in runs]
                speed = sum(report.rows_seen for _, report in runs) / sum(report.seconds for _, report in runs)
                print("| %s | %d | %s | %s | %.3f | %.2f | %.0f |" % (
                    name, batch, entry, " | ".join("%.3f" % m for m in means), max(last) - min(last),
                    runs[0][1].temperature, speed), flush=True)


if __name__ == "__main__":
    main()
