package dev.tributary.internal.kernel;

/** The addresses of two float vectors: the mean and the variance of each channel. */
public record Moments(long mean, long variance) {}
