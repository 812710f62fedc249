package dev.tributary.train.replica;

import dev.tributary.graph.Operation;
import java.time.Duration;

/**
 * How a worker says that it is alive.
 *
 * @param interval how often
 */
record Beat(Operation operation, Duration interval) {}
