/**
 * What sessions record, as TensorFlow's messages. Entry type: {@link
 * dev.tributary.internal.session.wire.StepStatsProtos}. Stands on sessions; masters, workers and
 * tools that speak TensorFlow's protocol stand on it.
 */
package dev.tributary.internal.session.wire;
