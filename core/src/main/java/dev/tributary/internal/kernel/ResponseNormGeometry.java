package dev.tributary.internal.kernel;

import dev.tributary.tensor.DataType;

/**
 * A local response normalisation of {@code pixels} vectors of {@code channels} values: {@code
 * output = input / (bias + alpha * s) ^ beta}, where s is the sum of squares over the channels at
 * most {@code radius} away.
 */
public record ResponseNormGeometry(
    DataType type, long pixels, long channels, int radius, float bias, float alpha, float beta) {}
