package dev.tributary.app.digits;

import dev.tributary.graph.Graph;
import dev.tributary.ops.Ops;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.placement.ReplicaDeviceSetter;
import dev.tributary.train.session.ManagedSession;
import dev.tributary.train.session.Supervisor;
import dev.tributary.train.session.SupervisorOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The training of one process: alone, or as one of several workers that share the variables on
 * parameter servers. Worker 0, the chief, initialises or restores them, saves them, and tests the
 * network now and then and at the end.
 */
final class DigitsRun {
  /** Global steps between tests of the average model. */
  private static final int VALIDATION_STEPS = 100;

  /** How long a chief that has finished stays for workers that have not. */
  private static final Duration END_WAIT = Duration.ofSeconds(30);

  private final DigitsSettings settings;
  private final DigitsRole role;
  private final Ops tf;
  private final DigitsInput input;
  private final DigitsNetwork network;
  private final Supervisor supervisor;
  private final List<DigitsReport.Validation> validations = new ArrayList<>();
  private long nextValidation = VALIDATION_STEPS;

  DigitsRun(DigitsSettings settings, DigitsRole role) {
    this.settings = settings;
    this.role = role;
    this.tf = ops(role);
    tf.graph().setSeed(settings.seed());
    this.input =
        DigitsInput.build(
            tf, settings.data().training(), settings.batch(), settings.seed() + role.task());
    this.network =
        DigitsNetwork.build(
            tf,
            input,
            settings.rate(),
            settings.globalSteps(role.workers()),
            settings.consistency(),
            role.workers());
    this.supervisor = Supervisor.of(tf, supervisorOptions());
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

  /** Trains to the end. The chief's report tells the test's result. */
  DigitsReport run(String target, Progress progress) {
    SessionOptions options = SessionOptions.defaults().withBackend(settings.backend());
    SessionOptions cluster =
        options.withCluster(
            ClusterOptions.defaults()
                // Workers start and finish when they like: none waits for another.
                .withDeviceFilters("/job:ps", "/job:worker/task:" + role.task()));
    DigitsReport[] report = new DigitsReport[1];
    try (Graph graph = tf.graph()) {
      supervisor.run(
          () -> Session.open(target, graph, role.isAlone() ? options : cluster),
          managed -> report[0] = train(managed, progress));
    }
    return report[0];
  }

  private DigitsReport train(ManagedSession managed, Progress progress) {
    Session session = managed.session();
    SessionRunHook replica = replica();
    replica.afterCreateSession(session, managed.coordinator());
    input.load(session);
    DigitsTraining training = new DigitsTraining(network, session, settings.data().test());
    long start = System.nanoTime();
    DigitsTraining.Outcome outcome =
        training.train(
            settings.globalSteps(role.workers()),
            managed::shouldStop,
            progress,
            step -> validate(step, training, managed));
    double seconds = (System.nanoTime() - start) / 1e9;
    // Before the tests, for which nobody needs to wait.
    replica.end(session);
    return new DigitsReport(
        outcome.steps(),
        (long) outcome.steps() * settings.batch(),
        seconds,
        outcome.lastLoss(),
        validations,
        role.isChief() ? Optional.of(judgement(training)) : Optional.empty());
  }

  private SessionRunHook replica() {
    return role.isChief()
        ? network.replicas().chiefHook(END_WAIT)
        : network.replicas().workerHook();
  }

  private DigitsReport.Judgement judgement(DigitsTraining training) {
    return new DigitsReport.Judgement(
        settings.data().test().size(),
        training.test(),
        training.testAverages(),
        training.meanStaleness(),
        training.staleDropped());
  }

  /** Lets the chief find out how good the average model is, if it is time. */
  private void validate(long globalStep, DigitsTraining training, ManagedSession managed) {
    if (globalStep < nextValidation || !role.isChief()) {
      return;
    }
    nextValidation = globalStep + VALIDATION_STEPS;
    float accuracy = training.validate();
    validations.add(new DigitsReport.Validation(globalStep, accuracy));
    managed.events().ifPresent(e -> e.scalar("validation_accuracy", accuracy, globalStep));
  }
}
