package dev.tributary.internal.op;

/**
 * The gradient of an op, as its declaration carries it. Gradients are made of operations, and ops
 * are declared below graphs: {@code internal.gradient.GradientRule} says what one does.
 */
public interface Gradient {}
