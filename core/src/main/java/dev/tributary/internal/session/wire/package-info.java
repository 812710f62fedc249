/**
 * Records of sessions as TensorFlow's messages. Entry type: {@link
 * dev.tributary.internal.session.wire.StepStatsProtos}. Depends on sessions; masters, workers and
 * tools that speak TensorFlow's protocol depend on it.
 */
package dev.tributary.internal.session.wire;
