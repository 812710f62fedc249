package dev.tributary.internal.op;

/**
 * Works out the shapes of an operation's outputs from what is known of its inputs, or refuses them.
 */
@FunctionalInterface
public interface ShapeRule {
  void infer(InferenceContext context);
}
