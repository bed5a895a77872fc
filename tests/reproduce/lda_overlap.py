"""Overlap of the topics: held-out score, exclusivity, coherence and diversity of LDA's default beside svi and other settings.

    python3 lda_overlap.py --data FOLDER [--sets wiki1000 ...] [--topics 50 100] [--seeds 2] [--documents 10000] [SETTINGS ...]

SETTINGS are "default" or NAME=VALUE,... of the model and the run (method=svi, eta=0.1, learn_alpha=true). merge=0.7: after the fit topics
with a cosine above that are made one, the largest first, so that fewer than K are left (column "topics"). Score: mean held-out log
probability per token (nats), halves of the test documents drawn with seed 1. Quality of the ten likeliest words of a topic: exclusivity,
mean of all topics and by the topics' tokens, NPMI coherence on the training documents, diversity. Unused: topics below 50
tokens; near: pairs of topics with a cosine above 0.7. Means over the seeds, and the range of the scores.
"""
import argparse
import os
import sys
import time

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import library  # noqa: E402

USUAL = ("default", "method=svi", "eta=0.1", "eta=0.5", "local_sparsity=0.5", "alpha=0.1", "temperature_start=1.5", "merge=0.7")
OF_MODEL = ("alpha", "eta", "learn_alpha", "topic_posterior", "local_sparsity", "local_iterations", "local_tolerance")


def merged(model, train, least):
    """A model with the topics of `model`; topics whose cosine with a larger one exceeds `least` are merged into it."""
    weights = model.parameters["lambda"]
    unit = model.parameters["topics"] / numpy.linalg.norm(model.parameters["topics"], axis=1, keepdims=True)
    eta, alpha = 1 / len(weights), model.parameters["alpha"].ravel()
    kept, alphas = [], []
    units = []
    for topic in numpy.argsort(-weights.sum(axis=1), kind="stable"):
        near = [place for place, other in enumerate(units) if other @ unit[topic] > least]
        if near:
            kept[near[0]] += weights[topic] - eta
            alphas[near[0]] += alpha[topic]
            continue
        kept.append(weights[topic].copy())
        alphas.append(alpha[topic])
        units.append(unit[topic])
    fewer = library.model(topics=len(kept), eta=eta, alpha=",".join("%.9g" % value for value in alphas))
    library.initialize(fewer, train)
    library.set_parameter(fewer, "lambda", numpy.array(kept))
    return fewer


def measures(model, train, halves):
    """(score, exclusivity, exclusivity by tokens, coherence, diversity, topics, unused, near)"""
    topics = model.parameters["topics"]
    tokens = model.parameters["tokens"].ravel()
    exclusivity = numpy.asarray(model.evaluate_topics(len(topics), None, "exclusivity"))
    unit = topics / numpy.linalg.norm(topics, axis=1, keepdims=True)
    near = int((numpy.triu(unit @ unit.T, 1) > 0.7).sum())
    return (library.evaluate(model, *halves), exclusivity.mean(), (exclusivity * tokens).sum() / tokens.sum(),
            library.evaluate(model, train, None, "coherence_npmi"), library.evaluate(model, None, None, "topic_diversity"),
            len(topics), int((tokens < 50).sum()), near)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--sets", nargs="+", default=["wiki1000", "poliblog5k"])
    parser.add_argument("--topics", type=int, nargs="+", default=[50, 100])
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--documents", type=int, default=10000)
    parser.add_argument("--test-documents", type=int, default=1000)
    parser.add_argument("settings", nargs="*", default=USUAL)
    arguments = parser.parse_args()
    print(library.build_info())
    print("| set | K | settings | score | range | exclusivity | by tokens | NPMI | diversity | topics | unused | near | seconds |")
    print("|" + 13 * "---|")
    for name in arguments.sets:
        train, halves = library.text_set(arguments.data, name, arguments.documents, arguments.test_documents)
        for topics in arguments.topics:
            for settings in arguments.settings:
                named = dict(item.split("=", 1) for item in settings.split(",") if "=" in item)
                near = float(named.pop("merge", 0))
                of_model = {option: value for option, value in named.items() if option in OF_MODEL}
                of_run = {option: value for option, value in named.items() if option not in OF_MODEL}
                found, begin = [], time.process_time()
                for seed in range(1, arguments.seeds + 1):
                    model = library.model(topics=topics, **of_model)
                    library.run(library.optimizer(model, train, seed=seed, threads=1, **of_run))
                    found.append(measures(merged(model, train, near) if near else model, train, halves))
                found, seconds = numpy.array(found), (time.process_time() - begin) / arguments.seeds
                mean = found.mean(axis=0)
                print("| %s | %d | %s | %.4f | %.4f | %.3f | %.3f | %.3f | %.3f | %.1f | %.1f | %.1f | %.1f |" % (
                    name, topics, settings, mean[0], numpy.ptp(found[:, 0]), *mean[1:], seconds), flush=True)


if __name__ == "__main__":
    main()
