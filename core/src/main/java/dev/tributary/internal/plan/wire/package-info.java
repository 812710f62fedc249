/**
 * Step graphs as TensorFlow's messages, the form in which a master hands each task its part. Entry
 * type: {@link dev.tributary.internal.plan.wire.StepGraphDefs}. Stands on plans and the messages of
 * graphs; masters and workers stand on it.
 */
package dev.tributary.internal.plan.wire;
