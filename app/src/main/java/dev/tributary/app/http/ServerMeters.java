package dev.tributary.app.http;

import dev.tributary.cluster.server.ServerStatistics;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** The counters of a server as meters, all of one moment. Guarded by its own monitor. */
final class ServerMeters {
  private final MeterRegistry registry;
  private final Supplier<ServerStatistics> source;
  private volatile ServerStatistics latest;

  private ServerMeters(MeterRegistry registry, Supplier<ServerStatistics> source) {
    this.registry = registry;
    this.source = source;
    this.latest = source.get();
  }

  static ServerMeters bind(MeterRegistry registry, Supplier<ServerStatistics> source) {
    ServerMeters meters = new ServerMeters(registry, source);
    meters.timer("tributary.step", "Steps run by this task's master.", ServerStatistics::steps);
    meters.timer(
        "tributary.run", "Parts of steps run by this task's worker.", ServerStatistics::runs);
    meters.gauge("tributary.sessions", "Open sessions.", "", ServerStatistics::sessions);
    meters.gauge(
        "tributary.memory.used",
        "Memory of values and messages.",
        "bytes",
        ServerStatistics::memoryUsed);
    meters.gauge(
        "tributary.memory.limit",
        "The limit on the memory of values and messages.",
        "bytes",
        ServerStatistics::memoryLimit);
    return meters;
  }

  /** Reads the counters; peers and codes that are new get meters. */
  synchronized void refresh() {
    latest = source.get();
    for (ErrorCode code : latest.failures().keySet()) {
      FunctionCounter.builder(
              "tributary.errors", this, meters -> meters.latest.failures().getOrDefault(code, 0L))
          .description("Failed calls to this task's master and worker.")
          .tag("code", code.name())
          .register(registry);
    }
    transfers("sent", ServerStatistics::bytesSent);
    transfers("received", ServerStatistics::bytesReceived);
  }

  private void transfers(String direction, Function<ServerStatistics, Map<TaskName, Long>> bytes) {
    for (TaskName peer : bytes.apply(latest).keySet()) {
      FunctionCounter.builder(
              "tributary.transfer",
              this,
              meters -> bytes.apply(meters.latest).getOrDefault(peer, 0L))
          .description("Bytes of tensors that steps exchange with other tasks.")
          .baseUnit("bytes")
          .tag("direction", direction)
          .tag("peer", peer.job() + "/" + peer.index())
          .register(registry);
    }
  }

  private void timer(
      String name, String description, Function<ServerStatistics, ServerStatistics.Timed> timed) {
    FunctionTimer.builder(
            name,
            this,
            meters -> timed.apply(meters.latest).count(),
            meters -> timed.apply(meters.latest).total().toNanos(),
            TimeUnit.NANOSECONDS)
        .description(description)
        .register(registry);
  }

  private void gauge(
      String name, String description, String unit, ToDoubleFunction<ServerStatistics> value) {
    Gauge.Builder<ServerMeters> gauge =
        Gauge.builder(name, this, meters -> value.applyAsDouble(meters.latest))
            .description(description);
    (unit.isEmpty() ? gauge : gauge.baseUnit(unit)).register(registry);
  }
}
