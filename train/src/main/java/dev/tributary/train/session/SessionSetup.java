package dev.tributary.train.session;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.session.Session;
import dev.tributary.train.saver.Saver;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What makes a model ready, and how long that may take. Immutable.
 *
 * @param init gives the global variables their initial values
 * @param initFn called after {@code init}, for what no operation does
 * @param localInit gives this process what is its own
 * @param ready a vector with the names of what has no value; empty when the model is ready
 * @param readyForLocalInit the same for what {@code localInit} needs
 * @param saver restores the global variables instead, where there is a checkpoint
 * @param startsOver whether to leave checkpoints of earlier runs alone, and begin from scratch
 * @param recoveryWait how long to wait before looking again whether the model is ready
 * @param maxWait how long to wait for it at all
 */
public record SessionSetup(
    Optional<Operation> init,
    Optional<Consumer<Session>> initFn,
    Optional<Operation> localInit,
    Optional<Output> ready,
    Optional<Output> readyForLocalInit,
    Optional<Saver> saver,
    boolean startsOver,
    Duration recoveryWait,
    Duration maxWait) {
  /** Looks a few times in a second, for two hours at most, and takes any model as ready. */
  public static SessionSetup empty() {
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

  public SessionSetup withInit(Operation operation) {
    return new SessionSetup(
        Optional.of(operation),
        initFn,
        localInit,
        ready,
        readyForLocalInit,
        saver,
        startsOver,
        recoveryWait,
        maxWait);
  }

  public SessionSetup withInitFn(Consumer<Session> function) {
    return new SessionSetup(
        init,
        Optional.of(function),
        localInit,
        ready,
        readyForLocalInit,
        saver,
        startsOver,
        recoveryWait,
        maxWait);
  }

  public SessionSetup withLocalInit(Operation operation) {
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

  public SessionSetup withReady(Output missing) {
    return new SessionSetup(
        init,
        initFn,
        localInit,
        Optional.of(missing),
        readyForLocalInit,
        saver,
        startsOver,
        recoveryWait,
        maxWait);
  }

  public SessionSetup withReadyForLocalInit(Output missing) {
    return new SessionSetup(
        init,
        initFn,
        localInit,
        ready,
        Optional.of(missing),
        saver,
        startsOver,
        recoveryWait,
        maxWait);
  }

  public SessionSetup withSaver(Saver newSaver) {
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

  public SessionSetup withWaits(Duration newRecoveryWait, Duration newMaxWait) {
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

  /** Initialises the model though its folder may have checkpoints, until it has saved one. */
  public SessionSetup withStartOver() {
    return new SessionSetup(
        init, initFn, localInit, ready, readyForLocalInit, saver, true, recoveryWait, maxWait);
  }
}
