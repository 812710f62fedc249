package dev.tributary.train.replica;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;

/**
 * What a worker runs to be one of those that wait for each other. {@link WorkerClocks} makes it.
 *
 * @param own which of the workers this is
 * @param init the chief's: all workers are absent, and those who wait go on
 * @param join this worker comes in; run after {@code leave}, and before its first step
 * @param leave the worker {@code leaving} is absent from now on
 * @param leaving an int32, this worker unless another one is fed
 * @param beat says that this worker is alive
 * @param beats how often each worker has said so, an int64 vector
 * @param present which workers are not absent, a bool vector
 */
record SspMembership(
    int own,
    Operation init,
    Operation join,
    Operation leave,
    Output leaving,
    Operation beat,
    Output beats,
    Output present) {}
