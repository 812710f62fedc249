package dev.tributary.cluster.internal.protocol;

/**
 * The answer of a worker to a new session.
 *
 * @param pushesTensors whether its steps can send values to other tasks unasked, and take such
 *     values. Not part of TensorFlow's protocol: stock workers leave it out.
 */
public record CreateWorkerSessionResponse(boolean pushesTensors) {}
