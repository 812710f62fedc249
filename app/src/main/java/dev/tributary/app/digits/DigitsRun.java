package dev.tributary.app.digits;

import dev.tributary.graph.Graph;
import dev.tributary.ops.Ops;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.train.placement.ReplicaDeviceSetter;
import dev.tributary.train.session.ManagedSession;
import dev.tributary.train.session.SessionSetup;
import dev.tributary.train.session.Supervisor;
import dev.tributary.train.session.SupervisorOptions;
import dev.tributary.train.sync.SyncOperations;
import dev.tributary.train.sync.SyncRunner;
import java.util.Optional;

/**
 * The training of one process: alone, or as one of several workers that share the variables on
 * parameter servers. Worker 0, the chief, initialises or restores them, saves them, and tests the
 * network now and then and at the end.
 */
final class DigitsRun {
  /** Global steps between tests of the average model. */
  private static final int VALIDATION_STEPS = 100;

  private final DigitsSettings settings;
  private final DigitsRole role;
  private final Ops tf;
  private final DigitsNetwork network;
  private final Supervisor supervisor;
  private long nextValidation = VALIDATION_STEPS;

  DigitsRun(DigitsSettings settings, DigitsRole role) {
    this.settings = settings;
    this.role = role;
    this.tf = ops(role);
    tf.graph().setSeed(settings.seed());
    this.network =
        DigitsNetwork.build(
            tf,
            settings.data(),
            settings.rate(),
            settings.globalSteps(role.workers()),
            settings.sync() ? Optional.of(role.workers()) : Optional.empty());
    this.supervisor = Supervisor.of(tf, supervisorOptions(), this::withSync);
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

  private SessionSetup withSync(SessionSetup usual) {
    return network
        .sync()
        .map(
            sync ->
                usual
                    .withLocalInit(role.isChief() ? sync.chiefInit() : sync.localInit())
                    .withReadyForLocalInit(sync.readyForLocalInit()))
        .orElse(usual);
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
    Optional<SyncOperations> sync = network.sync();
    if (role.isChief()) {
      sync.ifPresent(s -> SyncRunner.start(s, session, managed.coordinator()));
    }
    DigitsTraining training =
        new DigitsTraining(
            network, session, settings.data(), settings.batch(), settings.seed() + role.task());
    long start = System.nanoTime();
    DigitsTraining.Outcome outcome =
        training.train(
            settings.globalSteps(role.workers()),
            managed::shouldStop,
            progress,
            step -> validate(step, training, managed));
    double seconds = (System.nanoTime() - start) / 1e9;
    int correct = role.isChief() ? training.test() : 0;
    int averageCorrect = role.isChief() ? training.testAverages() : 0;
    return new DigitsReport(
        outcome.steps(),
        (long) outcome.steps() * settings.batch(),
        seconds,
        outcome.lastLoss(),
        correct,
        averageCorrect);
  }

  /** Notes the accuracy of the average model in the event file, if it is time. */
  private void validate(long globalStep, DigitsTraining training, ManagedSession managed) {
    if (globalStep < nextValidation || managed.events().isEmpty()) {
      return;
    }
    nextValidation = globalStep + VALIDATION_STEPS;
    float accuracy = (float) training.testAverages() / settings.data().test().size();
    managed.events().get().scalar("validation_accuracy", accuracy, globalStep);
  }
}
