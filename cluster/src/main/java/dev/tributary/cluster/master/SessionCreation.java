package dev.tributary.cluster.master;

import dev.tributary.cluster.protocol.CreateSessionRequest;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.kernel.Cancellation;
import dev.tributary.placement.Placer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tensorflow.proto.DeviceAttributes;

/**
 * The making of a session: its graph is read, the tasks are asked for their devices, the graph is
 * placed on them, and the workers open their parts. If anything fails, nothing stays. Confined to
 * one session; its steps follow one another, on threads of the environment.
 */
final class SessionCreation {
  private static final Logger LOG = LoggerFactory.getLogger(SessionCreation.class);

  private final MasterEnvironment environment;
  private final SessionConfig config;
  private final SessionGraph graph;
  private final SessionCluster cluster;

  private SessionCreation(
      MasterEnvironment environment,
      SessionConfig config,
      SessionGraph graph,
      SessionCluster cluster) {
    this.environment = environment;
    this.config = config;
    this.graph = graph;
    this.cluster = cluster;
  }

  static CompletableFuture<MasterSession> create(
      MasterEnvironment environment,
      String handle,
      CreateSessionRequest request,
      Cancellation cancellation) {
    return CompletableFuture.supplyAsync(() -> begin(environment, request), environment.executor())
        .thenCompose(creation -> creation.run(handle, cancellation));
  }

  private static SessionCreation begin(
      MasterEnvironment environment, CreateSessionRequest request) {
    SessionConfig config = SessionConfig.of(environment.defaultSessionConfig(), request.config());
    SessionGraph graph =
        new SessionGraph(environment.registry(), request.graph(), environment.options().limits());
    try {
      SessionCluster cluster = SessionCluster.of(environment, config.proto(), request.target());
      return new SessionCreation(environment, config, graph, cluster);
    } catch (RuntimeException e) {
      graph.close();
      throw e;
    }
  }

  private CompletableFuture<MasterSession> run(String handle, Cancellation cancellation) {
    List<TaskName> tasks = cluster.tasks(config.deviceFilters());
    SessionWorkers workers = new SessionWorkers(environment, cluster, handle, tasks);
    return DeviceDiscovery.ask(environment, cluster.workers(), tasks, cancellation)
        .thenApplyAsync(this::place, environment.executor())
        .thenCompose(
            devices ->
                workers
                    .create(config, devices, cancellation)
                    .thenApply(
                        pushes ->
                            new MasterSession(
                                environment, config, graph, devices, workers, pushes)))
        .whenComplete(
            (session, thrown) -> {
              if (thrown != null) {
                graph.close();
                cluster.close();
              }
            });
  }

  private DeviceCatalogue place(Map<TaskName, List<DeviceAttributes>> reported) {
    DeviceCatalogue devices = DeviceCatalogue.of(cluster.self(), reported, config.deviceFilters());
    graph.place(
        new Placer(
            devices.names(),
            cluster.self().toString(),
            config.softPlacement(),
            (op, type) -> type.equals("CPU")));
    if (config.proto().getLogDevicePlacement()) {
      graph.devices().forEach((node, device) -> LOG.info("{}: {}", node, device));
    }
    return devices;
  }
}
