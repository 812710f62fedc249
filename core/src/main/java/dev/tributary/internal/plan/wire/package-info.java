/**
 * Step graphs as TensorFlow's messages, the form in which a master hands each task its part. Entry
 * type: {@link dev.tributary.internal.plan.wire.StepGraphDefs}. Depends on plans and the messages
 * of graphs; masters and workers depend on it.
 */
package dev.tributary.internal.plan.wire;
