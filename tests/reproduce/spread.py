"""Means with their standard deviations as the scripts print them."""
import statistics


def mean_and_deviation(values, digits, sign=""):
    """"MEAN (DEVIATION)"; a single value, which has no deviation, stands alone."""
    mean = "%{}.{}f".format(sign, digits) % statistics.mean(values)
    return mean + (" (%.*f)" % (digits, statistics.stdev(values)) if len(values) > 1 else "")
