package dev.tributary.internal.kernel;

/** The addresses of two float vectors: the scale and the offset of each channel. */
public record Affine(long scale, long offset) {}
