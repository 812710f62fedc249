package dev.tributary.interop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.tensorflow.proto.ServerDef;

/**
 * A task of a test cluster in a process of its own, which ends with this one: its standard input is
 * a pipe from here.
 */
final class TaskProcess implements AutoCloseable {
  /** Whose server a task runs. */
  enum Kind {
    STOCK(StockServerMain.class),
    OURS(TributaryServerMain.class);

    private final Class<?> main;

    Kind(Class<?> main) {
      this.main = main;
    }
  }

  private static final String READY = "READY";
  private static final long LIMIT_SECONDS = 60;

  private final String name;
  private final Process process;

  private TaskProcess(String name, Process process) {
    this.name = name;
    this.process = process;
  }

  static TaskProcess start(Kind kind, ServerDef serverDef) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx512m");
    command.add("-XX:TieredStopAtLevel=1"); // Tests are short: starting fast matters more.
    String backend = System.getProperty("tributary.backend");
    if (backend != null) {
      command.add("-Dtributary.backend=" + backend);
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), kind.main.getName()));
    command.add(Base64.getEncoder().encodeToString(serverDef.toByteArray()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("TF_CPP_MIN_LOG_LEVEL", "2");
    String name = kind + " " + serverDef.getJobName() + ":" + serverDef.getTaskIndex();
    try {
      return new TaskProcess(name, builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a task's main does once its server serves. */
  static void serveUntilStdinCloses() {
    System.out.println(READY);
    try {
      while (System.in.read() >= 0) {
        // Nothing is ever sent; the end of the stream is the signal.
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void awaitReady() throws Exception {
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    CompletableFuture<Boolean> ready = CompletableFuture.supplyAsync(() -> readUntilReady(output));
    if (!ready.get(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(name + " ended before it was ready");
    }
  }

  /** Ends the process at once, as a crash would. */
  void kill() {
    process.destroyForcibly();
    try {
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException(name + " does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    kill();
  }

  private static boolean readUntilReady(BufferedReader output) {
    try {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.equals(READY)) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
