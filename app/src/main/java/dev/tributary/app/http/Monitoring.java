package dev.tributary.app.http;

import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.spec.HostAndPort;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The view of this process from outside: its HTTP port with its state and its meters, or nothing if
 * there is no such port. Safe for use by many threads.
 */
public final class Monitoring implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Monitoring.class);

  /** The port, and what it shows. */
  private record Open(HttpPort port, Readiness readiness, Metrics metrics) {}

  private final Optional<Open> open;

  private Monitoring(Optional<Open> open) {
    this.open = open;
  }

  static Monitoring off() {
    return new Monitoring(Optional.empty());
  }

  static Monitoring start(HostAndPort address, String job, int task) {
    Metrics metrics = new Metrics(job, task);
    Readiness readiness = new Readiness();
    try {
      HttpPort port = HttpPort.start(address, readiness, metrics::scrape);
      return new Monitoring(Optional.of(new Open(port, readiness, metrics)));
    } catch (RuntimeException e) {
      metrics.close();
      throw e;
    }
  }

  /** The process is ready from now on, and shows the counters of this server. */
  public void ready(Server server) {
    open.ifPresent(
        shown -> {
          shown.metrics().bind(server::statistics);
          shown.readiness().ready();
          LOG.info("{} is ready", server.options().task());
        });
  }

  /** The process is ready from now on; it has no server. */
  public void ready() {
    open.ifPresent(shown -> shown.readiness().ready());
  }

  /** Counts a training step of this process. */
  public void stepped(long globalStep, Duration time) {
    open.ifPresent(shown -> shown.metrics().stepped(globalStep, time));
  }

  /** Lets {@code /readyz} fail from now on. */
  public void stopping() {
    open.ifPresent(shown -> shown.readiness().stopping());
  }

  /** Returns the port that is served; empty if none is. */
  Optional<Integer> port() {
    return open.map(shown -> shown.port().port());
  }

  @Override
  public void close() {
    open.ifPresent(
        shown -> {
          shown.port().close();
          shown.metrics().close();
        });
  }
}
