package dev.tributary.app.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tributary.cluster.spec.HostAndPort;
import dev.tributary.error.TributaryException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP server for probes and metrics. {@code /livez} depends on this process alone: it fails if
 * threads are in a deadlock. Safe for use by many threads.
 */
final class HttpPort implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpPort.class);
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int UNAVAILABLE = 503;
  private static final String TEXT = "text/plain; charset=utf-8";

  /** Of Prometheus' text format. */
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

  /** Probes and scrapes at the same time; further requests wait. */
  private static final int THREADS = 4;

  /** The JDK's limit on the seconds in which a request must arrive; it has none by default. */
  private static final String REQUEST_SECONDS = "sun.net.httpserver.maxReqTime";

  private final HttpServer server;
  private final ExecutorService threads;

  private HttpPort(HttpServer server, ExecutorService threads) {
    this.server = server;
    this.threads = threads;
  }

  /** Starts to serve. An address that is taken is FAILED_PRECONDITION. */
  static HttpPort start(HostAndPort address, Readiness readiness, Supplier<String> metrics) {
    limitRequests();
    HttpServer server;
    try {
      server = HttpServer.create(new InetSocketAddress(address.host(), address.port()), 0);
    } catch (IOException e) {
      throw TributaryException.failedPrecondition(
          "--http-port: cannot listen at %s: %s; choose another port", address, e.getMessage());
    }
    ExecutorService threads =
        Executors.newFixedThreadPool(
            THREADS,
            work -> {
              Thread thread = new Thread(work, "tributary-http");
              thread.setDaemon(true);
              return thread;
            });
    server.setExecutor(threads);
    serve(
        server,
        "/livez",
        TEXT,
        () ->
            ManagementFactory.getThreadMXBean().findDeadlockedThreads() == null
                ? Optional.empty()
                : Optional.of("deadlock"),
        () -> "ok\n");
    serve(server, "/readyz", TEXT, readiness::obstacle, () -> "ok\n");
    serve(server, "/metrics", METRICS, Optional::empty, metrics);
    server.start();
    LOG.info("probes and metrics at http://{}", address.withPort(server.getAddress().getPort()));
    return new HttpPort(server, threads);
  }

  /** A caller that sends half a request must not keep a thread from the probes for ever. */
  private static void limitRequests() {
    if (System.getProperty(REQUEST_SECONDS) == null) {
      System.setProperty(REQUEST_SECONDS, "3");
    }
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** Answers at one path with its content, or with the obstacle if there is one. */
  private static void serve(
      HttpServer server,
      String path,
      String type,
      Supplier<Optional<String>> obstacle,
      Supplier<String> content) {
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            if (!exchange.getRequestURI().getPath().equals(path)) {
              answer(exchange, NOT_FOUND, TEXT, "not found\n");
            } else if (!exchange.getRequestMethod().equals("GET")
                && !exchange.getRequestMethod().equals("HEAD")) {
              exchange.getResponseHeaders().set("Allow", "GET, HEAD");
              answer(exchange, METHOD_NOT_ALLOWED, TEXT, "only GET and HEAD\n");
            } else {
              Optional<String> reason = obstacle.get();
              answer(
                  exchange,
                  reason.isPresent() ? UNAVAILABLE : OK,
                  reason.isPresent() ? TEXT : type,
                  reason.map(text -> text + "\n").orElseGet(content));
            }
          } catch (RuntimeException e) {
            LOG.warn("request for {} failed", path, e);
            throw e;
          }
        });
  }

  private static void answer(HttpExchange exchange, int status, String type, String content)
      throws IOException {
    byte[] body = content.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    boolean isHead = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, isHead ? -1 : body.length);
    if (!isHead) {
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
