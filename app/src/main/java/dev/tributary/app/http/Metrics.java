package dev.tributary.app.http;

import dev.tributary.cluster.server.ServerStatistics;
import dev.tributary.internal.memory.Allocator;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The meters of this process: those of its virtual machine, of its tensors, of its training steps,
 * and of its server if it has one. Safe for use by many threads.
 */
final class Metrics implements AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics collections = new JvmGcMetrics();
  private final AtomicLong globalStep = new AtomicLong();
  private volatile Optional<Timer> trainingSteps = Optional.empty();
  private volatile Optional<ServerMeters> server = Optional.empty();

  /**
   * @param job of the task, which all meters are marked with; empty if it is the only one
   */
  Metrics(String job, int task) {
    // Not 'job', which Prometheus gives its own meaning.
    registry.config().commonTags("job_name", job, "task", Integer.toString(task));
    new JvmMemoryMetrics().bindTo(registry);
    collections.bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    Gauge.builder("tributary.tensors", () -> Allocator.shared().stats().liveBuffers())
        .description("Buffers of tensors that are in use.")
        .register(registry);
    Gauge.builder("tributary.tensors.memory", () -> Allocator.shared().stats().liveBytes())
        .description("Memory of tensors that are in use.")
        .baseUnit("bytes")
        .register(registry);
  }

  void bind(Supplier<ServerStatistics> statistics) {
    server = Optional.of(ServerMeters.bind(registry, statistics));
  }

  /** Counts a training step of this process. */
  void stepped(long newGlobalStep, Duration time) {
    if (trainingSteps.isEmpty()) {
      showTrainingSteps();
    }
    globalStep.set(newGlobalStep);
    trainingSteps.orElseThrow().record(time);
  }

  private synchronized void showTrainingSteps() {
    if (trainingSteps.isEmpty()) {
      Gauge.builder("tributary.global.step", globalStep, AtomicLong::get)
          .description("The number of updates of the model, by all workers.")
          .register(registry);
      trainingSteps =
          Optional.of(
              Timer.builder("tributary.training.step")
                  .description("Training steps of this process.")
                  .register(registry));
    }
  }

  /** Returns all meters in Prometheus' text format. */
  String scrape() {
    server.ifPresent(ServerMeters::refresh);
    return registry.scrape();
  }

  @Override
  public void close() {
    collections.close();
    registry.close();
  }
}
