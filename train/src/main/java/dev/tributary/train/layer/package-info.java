/**
 * Layers with TensorFlow's names and defaults, each an immutable description that is applied in a
 * {@link dev.tributary.train.variable.VariableScope}.
 */
package dev.tributary.train.layer;
