package dev.assay.lab;

import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;

/** What disturbs trials: shapes of noise for simulated experiments. */
final class TrialNoise {

    private TrialNoise() {}

    /** Noise of all trials of a run, in the order in which they run, as logarithms. */
    interface Noise {
        double[] of(int trials, Random random);
    }

    enum Shape {
        LOG_NORMAL_1(logNormal(0.01)),
        LOG_NORMAL_5(logNormal(0.05)),
        LOG_NORMAL_15(logNormal(0.15)),
        LINEAR_DRIFT((trials, random) -> {
            double[] noise = logNormal(0.02).of(trials, random);
            double slope = 0.3 * random.nextGaussian();
            return add(noise, index -> slope * index / trials);
        }),
        STEP((trials, random) -> {
            double[] noise = logNormal(0.02).of(trials, random);
            int at = random.nextInt(trials);
            double height = 0.3 * random.nextGaussian();
            return add(noise, index -> index >= at ? height : 0);
        }),
        // One trial of ten loses up to two thirds of its throughput.
        OUTLIERS((trials, random) -> {
            double[] noise = logNormal(0.02).of(trials, random);
            return add(noise, index -> random.nextInt(10) == 0 ? Math.log(1 - 0.66 * random.nextDouble()) : 0);
        }),
        // Student's t with two degrees of freedom: no variance at all.
        HEAVY_TAIL((trials, random) -> add(new double[trials], index -> {
            double chi = Math.hypot(random.nextGaussian(), random.nextGaussian());
            return 0.03 * random.nextGaussian() / (chi / Math.sqrt(2));
        })),
        AUTOCORRELATED_30(autocorrelated(0.3)),
        AUTOCORRELATED_70(autocorrelated(0.7)),
        AUTOCORRELATED_95(autocorrelated(0.95));

        private final Noise noise;

        Shape(Noise noise) {
            this.noise = noise;
        }

        Noise noise() {
            return noise;
        }
    }

    /** Neighbouring seeds give unrelated draws. */
    static Random random(long seed) {
        return new Random(new SplittableRandom(seed).nextLong());
    }

    static Noise logNormal(double spread) {
        return (trials, random) -> add(new double[trials], index -> spread * random.nextGaussian());
    }

    static Noise autocorrelated(double correlation) {
        return (trials, random) -> {
            double[] noise = new double[trials];
            double state = 0.05 * random.nextGaussian();
            for (int index = 0; index < trials; index++) {
                noise[index] = state;
                state = correlation * state + 0.05 * Math.sqrt(1 - correlation * correlation) * random.nextGaussian();
            }
            return noise;
        };
    }

    static double[] add(double[] noise, IntToDoubleFunction more) {
        for (int index = 0; index < noise.length; index++) {
            noise[index] += more.applyAsDouble(index);
        }
        return noise;
    }
}
