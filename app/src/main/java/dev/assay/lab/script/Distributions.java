package dev.assay.lab.script;

/** Integers that are not equally likely (manual, pgbench, "Built-In Functions"; the zipfian by Devroye 1986, page 550). */
final class Distributions {

    private static final double GAUSSIAN_MIN = 2.0;
    private static final double ZIPFIAN_MIN = 1.001;
    private static final double ZIPFIAN_MAX = 1000.0;

    private Distributions() {}

    /** @throws EvaluationException for a range that is empty or whose size does not fit into 63 bits */
    static void requireRange(long low, long high) {
        if (low > high) {
            throw new EvaluationException("empty range given to random");
        }
        long span = high - low;
        if (span < 0 || span == Long.MAX_VALUE) {
            throw new EvaluationException("random range is too large");
        }
    }

    /** @throws EvaluationException when the distribution has no such parameter */
    static long draw(Function function, Xoroshiro random, long low, long high, double parameter) {
        return switch (function) {
            case RANDOM_EXPONENTIAL -> exponential(random, low, high, parameter);
            case RANDOM_GAUSSIAN -> gaussian(random, low, high, parameter);
            case RANDOM_ZIPFIAN -> zipfian(random, low, high, parameter);
            default -> throw new IllegalStateException("no distribution: " + function);
        };
    }

    private static long exponential(Xoroshiro random, long low, long high, double parameter) {
        if (!(parameter > 0)) {
            throw new EvaluationException(
                    "exponential parameter must be greater than zero (not " + CNumbers.fixed(parameter, 6) + ")");
        }
        double cut = Math.exp(-parameter);
        double uniform = 1.0 - random.unit();
        double share = -Math.log(cut + (1.0 - cut) * uniform) / parameter;
        return at(low, high, share);
    }

    private static long gaussian(Xoroshiro random, long low, long high, double parameter) {
        if (!(parameter >= GAUSSIAN_MIN)) {
            throw new EvaluationException("gaussian parameter must be at least " + CNumbers.fixed(GAUSSIAN_MIN, 6)
                    + " (not " + CNumbers.fixed(parameter, 6) + ")");
        }
        double deviation;
        do {
            deviation = random.normal();
        } while (deviation < -parameter || deviation >= parameter);
        return at(low, high, (deviation + parameter) / (parameter * 2.0));
    }

    /** Where a share from 0, included, to 1, excluded, lies in the range. */
    private static long at(long low, long high, double share) {
        return low + (long) ((high - low + 1) * share);
    }

    private static long zipfian(Xoroshiro random, long low, long high, double parameter) {
        if (!(parameter >= ZIPFIAN_MIN && parameter <= ZIPFIAN_MAX)) {
            throw new EvaluationException("zipfian parameter must be in range [" + CNumbers.fixed(ZIPFIAN_MIN, 3) + ", "
                    + CNumbers.fixed(ZIPFIAN_MAX, 0) + "] (not " + CNumbers.fixed(parameter, 6) + ")");
        }
        long count = high - low + 1;
        if (count <= 1) {
            return low;
        }
        double b = Math.pow(2.0, parameter - 1.0);
        double x;
        double t;
        double v;
        do {
            double u = random.unit();
            v = random.unit();
            x = Math.floor(Math.pow(u, -1.0 / (parameter - 1.0)));
            t = Math.pow(1.0 + 1.0 / x, parameter - 1.0);
        } while (!(v * x * (t - 1.0) / (b - 1.0) <= t / b && x <= count));
        return low - 1 + (long) x;
    }
}
