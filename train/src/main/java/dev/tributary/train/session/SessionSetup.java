package dev.tributary.train.session;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.session.Session;
import dev.tributary.train.saver.Saver;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The operations that make a model ready, and the times to wait for it. Immutable.
 *
 * @param init initializes the global variables
 * @param initFn called after {@code init}, for initialization that is not an operation
 * @param localInit initializes local variables and tables of this process
 * @param ready a vector with the names of uninitialized variables; empty when the model is ready
 * @param readyForLocalInit the same for the variables that {@code localInit} needs
 * @param saver restores the global variables instead, if there is a checkpoint
 * @param startsOver whether to train from scratch even if there are checkpoints of earlier runs
 * @param recoveryWait the time between checks whether the model is ready
 * @param maxWait the longest time to wait for the model
 */
record SessionSetup(
    Optional<Operation> init,
    Optional<Consumer<Session>> initFn,
    Optional<Operation> localInit,
    Optional<Output> ready,
    Optional<Output> readyForLocalInit,
    Optional<Saver> saver,
    boolean startsOver,
    Duration recoveryWait,
    Duration maxWait) {
  /** Returns a setup without operations, which checks five times a second for at most two hours. */
  static SessionSetup empty() {
    return new SessionSetup(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false,
        Duration.ofMillis(200),
        Duration.ofHours(2));
  }

  SessionSetup withLocalInit(Operation operation) {
    return new SessionSetup(
        init,
        initFn,
        Optional.of(operation),
        ready,
        readyForLocalInit,
        saver,
        startsOver,
        recoveryWait,
        maxWait);
  }

  SessionSetup withSaver(Saver newSaver) {
    return new SessionSetup(
        init,
        initFn,
        localInit,
        ready,
        readyForLocalInit,
        Optional.of(newSaver),
        startsOver,
        recoveryWait,
        maxWait);
  }

  SessionSetup withWaits(Duration newRecoveryWait, Duration newMaxWait) {
    return new SessionSetup(
        init,
        initFn,
        localInit,
        ready,
        readyForLocalInit,
        saver,
        startsOver,
        newRecoveryWait,
        newMaxWait);
  }

  /** Returns a setup that ignores checkpoints until the saver has written one. */
  SessionSetup withStartOver() {
    return new SessionSetup(
        init, initFn, localInit, ready, readyForLocalInit, saver, true, recoveryWait, maxWait);
  }
}
