/**
 * The op table: one row for every op, which the checks here and the comparison with stock
 * TensorFlow both run.
 */
package dev.tributary.optable;
