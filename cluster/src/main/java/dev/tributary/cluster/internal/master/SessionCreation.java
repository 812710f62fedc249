package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.CreateSessionRequest;
import dev.tributary.cluster.internal.protocol.RareLog;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.graph.StatePlacement;
import dev.tributary.internal.concurrent.CallScope;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.placement.Placer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tensorflow.proto.DeviceAttributes;
import org.tensorflow.proto.GraphDef;

/**
 * The making of a session: the tasks are asked for their devices while its graph is read, the graph
 * is placed on them, and the workers open their parts. If anything fails, nothing stays. Confined
 * to one session; runs on threads of the environment.
 */
final class SessionCreation {
  private static final Logger LOG = LoggerFactory.getLogger(SessionCreation.class);
  private static final int MOST_LOGGED_NODES = 1_000;

  private final MasterEnvironment environment;
  private final SessionConfig config;
  private final SessionCluster cluster;

  private SessionCreation(
      MasterEnvironment environment, SessionConfig config, SessionCluster cluster) {
    this.environment = environment;
    this.config = config;
    this.cluster = cluster;
  }

  static CompletableFuture<MasterSession> create(
      MasterEnvironment environment,
      String handle,
      CreateSessionRequest request,
      CollectiveStepIds collectiveIds,
      Cancellation cancellation) {
    return CompletableFuture.supplyAsync(() -> begin(environment, request), environment.executor())
        .thenCompose(
            creation -> creation.run(handle, request.graph(), collectiveIds, cancellation));
  }

  private static SessionCreation begin(
      MasterEnvironment environment, CreateSessionRequest request) {
    SessionConfig config = SessionConfig.of(environment.defaultSessionConfig(), request.config());
    return new SessionCreation(
        environment, config, SessionCluster.of(environment, config.proto(), request.target()));
  }

  private CompletableFuture<MasterSession> run(
      String handle, GraphDef def, CollectiveStepIds collectiveIds, Cancellation cancellation) {
    List<TaskName> tasks = cluster.tasks(config.deviceFilters());
    SessionWorkers workers = new SessionWorkers(environment, cluster, handle, tasks);
    Cancellation asking = new Cancellation();
    CallScope scope = new CallScope(environment.timer(), asking::cancel).follow(cancellation);
    CompletableFuture<SessionGraph> graph =
        CompletableFuture.supplyAsync(() -> read(def, asking), environment.executor());
    return graph
        .thenCombineAsync(
            DeviceDiscovery.ask(environment, cluster.workers(), tasks, asking),
            this::place,
            environment.executor())
        .thenCompose(
            devices ->
                workers
                    .create(config, devices, cancellation)
                    .thenApply(
                        pushes ->
                            new MasterSession(
                                environment,
                                config,
                                graph.join(),
                                devices,
                                workers,
                                pushes,
                                collectiveIds)))
        .whenComplete(
            (session, thrown) -> {
              scope.close();
              if (thrown != null) {
                graph.thenAccept(SessionGraph::close);
                cluster.close();
              }
            });
  }

  /** State that no other session sees is best where the session is. */
  private StatePlacement statePlacement() {
    return config.isolated() ? StatePlacement.MASTER_TASK : environment.options().statePlacement();
  }

  /** Reads the graph; if it has a fault, nobody needs to wait for devices. */
  private SessionGraph read(GraphDef def, Cancellation asking) {
    try {
      return new SessionGraph(
          environment.registry(),
          def,
          environment.options().limits(),
          environment.options().memory().constants());
    } catch (RuntimeException | Error e) {
      asking.cancel(Failures.of(e));
      throw e;
    }
  }

  private DeviceCatalogue place(
      SessionGraph graph, Map<TaskName, List<DeviceAttributes>> reported) {
    DeviceCatalogue devices = DeviceCatalogue.of(cluster.self(), reported, config.deviceFilters());
    graph.place(
        new Placer(
            devices.names(),
            cluster.self().toString(),
            config.softPlacement(),
            (op, type) -> type.equals("CPU"),
            statePlacement()));
    if (config.proto().getLogDevicePlacement()) {
      log(graph.devices());
    }
    return devices;
  }

  /** Clients ask for this, so that it is no more than a log can hold. */
  private static void log(Map<String, String> devices) {
    devices.entrySet().stream()
        .limit(MOST_LOGGED_NODES)
        .map(entry -> RareLog.oneLine(entry.getKey() + ": " + entry.getValue()))
        .forEach(LOG::info);
    if (devices.size() > MOST_LOGGED_NODES) {
      LOG.info("and {} other nodes", devices.size() - MOST_LOGGED_NODES);
    }
  }
}
