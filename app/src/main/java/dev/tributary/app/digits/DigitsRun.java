package dev.tributary.app.digits;

import dev.tributary.app.http.Monitoring;
import dev.tributary.graph.Graph;
import dev.tributary.ops.Ops;
import dev.tributary.record.EventWriter;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.replica.ReplicaDeviceSetter;
import dev.tributary.train.session.ManagedSession;
import dev.tributary.train.session.Supervisor;
import dev.tributary.train.session.SupervisorOptions;
import java.util.Locale;
import java.util.Optional;

/**
 * The training of one process: alone, or as one of several workers that share the variables on
 * parameter servers. Worker 0, the chief, initialises or restores them, saves them, and tests the
 * network now and then and at the end.
 */
final class DigitsRun {
  /** Global steps between tests of the average model. */
  private static final int VALIDATION_STEPS = 100;

  /** About how often the loss and the learning rate are written as events in a training. */
  private static final int EVENTS = 200;

  private final DigitsSettings settings;
  private final DigitsRole role;
  private final Ops tf;
  private final DigitsInput input;
  private final DigitsNetwork network;
  private final Supervisor supervisor;
  private long nextValidation;
  private long nextEvents;

  DigitsRun(DigitsSettings settings, DigitsRole role) {
    this.settings = settings;
    this.role = role;
    this.tf = ops(role);
    tf.graph().setSeed(settings.seed());
    this.input =
        DigitsInput.build(
            tf, settings.data().training(), settings.batch(), settings.seed() + role.task());
    this.network = network();
    this.supervisor = Supervisor.of(tf, supervisorOptions());
  }

  private DigitsNetwork network() {
    long steps = settings.globalSteps(role.workers());
    return settings
        .strategy()
        .map(
            strategy ->
                DigitsNetwork.build(tf, input, settings.rate(), steps, strategy, settings.batch()))
        .orElseGet(
            () ->
                DigitsNetwork.build(
                    tf, input, settings.rate(), steps, settings.consistency(), role.workers()));
  }

  private static Ops ops(DigitsRole role) {
    Ops plain = Ops.create();
    return role.isAlone()
        ? plain
        : plain.withDeviceFunction(
            ReplicaDeviceSetter.of(role.parameterServers())
                .withWorkerDevice("/job:worker/task:" + role.task()));
  }

  private SupervisorOptions supervisorOptions() {
    SupervisorOptions options =
        SupervisorOptions.chief()
            .withChief(role.isChief())
            .withSaveModelEvery(settings.saveEvery())
            .withSaveSummariesEvery(settings.saveEvery());
    return settings.logdir().map(options::withLogdir).orElse(options);
  }

  /**
   * Trains to the end. If the network was trained to the end before, no step is made. The chief's
   * report tells how good the network is.
   */
  DigitsReport run(String target, Progress progress, Monitoring monitoring) {
    SessionOptions options =
        settings
            .strategy()
            .map(strategy -> strategy.configure(settings.session()))
            .orElse(settings.session());
    SessionOptions cluster =
        options.withCluster(
            ClusterOptions.defaults()
                // Workers start and finish when they like: none waits for another.
                .withDeviceFilters("/job:ps", "/job:worker/task:" + role.task()));
    progress.status(role.isChief() ? "preparing the model" : "waiting for the model");
    DigitsReport[] report = new DigitsReport[1];
    try (Graph graph = tf.graph()) {
      supervisor.run(
          () -> Session.open(target, graph, role.isAlone() ? options : cluster),
          managed -> report[0] = train(managed, progress, monitoring));
    }
    return report[0];
  }

  private DigitsReport train(ManagedSession managed, Progress progress, Monitoring monitoring) {
    DigitsTraining training = new DigitsTraining(network, managed.session());
    DigitsEvaluation evaluation = evaluation(managed.session());
    long begin = training.globalStep();
    long steps = settings.globalSteps(role.workers());
    if (begin >= steps) {
      return new DigitsReport(Optional.empty(), begin, accuracy(evaluation), Optional.empty());
    }
    if (begin > 0 && role.isChief()) {
      progress.line("continues at step " + begin + " of " + steps);
    }
    nextValidation = (begin / VALIDATION_STEPS + 1) * VALIDATION_STEPS;
    nextEvents = begin + 1;
    Optional<SessionRunHook> replica =
        network.replicas().map(replicas -> replicas.sessionRunHook(role.isChief()));
    replica.ifPresent(hook -> hook.afterCreateSession(managed.session(), managed.coordinator()));
    input.load(managed.session());
    long start = System.nanoTime();
    DigitsTraining.Outcome outcome =
        training.train(
            steps,
            managed::shouldStop,
            (step, loss, time) -> {
              progress.step(step, loss);
              monitoring.stepped(step, time);
              if (role.isChief()) {
                validate(step, evaluation, managed, progress);
                writeEvents(step, loss, training, managed);
              }
            });
    double seconds = (System.nanoTime() - start) / 1e9;
    // Before the tests, for which nobody needs to wait.
    replica.ifPresent(hook -> hook.end(managed.session()));
    long images = (long) outcome.steps() * settings.batch();
    return new DigitsReport(
        Optional.of(new DigitsReport.Steps(outcome.steps(), images, seconds, outcome.lastLoss())),
        outcome.globalStep(),
        accuracy(evaluation),
        role.isChief() ? training.staleness() : Optional.empty());
  }

  private DigitsEvaluation evaluation(Session session) {
    return new DigitsEvaluation(
        session, network.images(), network.labels(), network.correct(), network.averageCorrect());
  }

  private Optional<DigitsAccuracy> accuracy(DigitsEvaluation evaluation) {
    return role.isChief()
        ? Optional.of(evaluation.accuracy(settings.data().test()))
        : Optional.empty();
  }

  /** Finds out how good the average model is, if it is time. */
  private void validate(
      long globalStep, DigitsEvaluation evaluation, ManagedSession managed, Progress progress) {
    if (globalStep < nextValidation) {
      return;
    }
    nextValidation = (globalStep / VALIDATION_STEPS + 1) * VALIDATION_STEPS;
    float accuracy = evaluation.quickAccuracy(settings.data().test());
    progress.line(
        String.format(
            Locale.ROOT,
            "after %,d training steps, validation accuracy using the average model is %.2f %%",
            globalStep,
            100 * accuracy));
    managed.events().ifPresent(e -> e.scalar("validation_accuracy", accuracy, globalStep));
  }

  private void writeEvents(
      long globalStep, float loss, DigitsTraining training, ManagedSession managed) {
    long steps = settings.globalSteps(role.workers());
    if (managed.events().isEmpty() || (globalStep < nextEvents && globalStep < steps)) {
      return;
    }
    nextEvents = globalStep + Math.max(1, steps / EVENTS);
    EventWriter events = managed.events().get();
    events.scalar("loss", loss, globalStep);
    events.scalar("learning_rate", training.rate(), globalStep);
  }
}
