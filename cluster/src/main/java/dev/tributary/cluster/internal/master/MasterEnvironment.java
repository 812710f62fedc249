package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.AddressBooks;
import dev.tributary.cluster.internal.protocol.RandomIds;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.internal.time.Timer;
import java.util.concurrent.Executor;
import org.tensorflow.proto.ConfigProto;

/**
 * The services that a master uses. The code that starts the master owns them, and closes them after
 * it.
 *
 * @param task the task that the master is part of, whose first CPU takes feeds and gives fetches
 * @param addressBooks the workers of all tasks, its own among them
 * @param defaultSessionConfig what holds where a client says nothing
 * @param registry the ops that graphs may use
 * @param executor where graphs are read, placed and cut
 * @param timer for time limits; nothing that takes time runs on it
 * @param ids for sessions, steps and requests
 */
public record MasterEnvironment(
    TaskName task,
    AddressBooks addressBooks,
    ConfigProto defaultSessionConfig,
    OpRegistry registry,
    Executor executor,
    Timer timer,
    RandomIds ids,
    MasterOptions options) {}
