package dev.tributary.cluster.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.server.FastPaths;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A task in a process that can be killed, frozen and resumed, and ends with this one. */
final class TaskInProcess implements AutoCloseable {
  private static final int LIMIT_SECONDS = 60;

  private final TaskName task;
  private final Process process;
  private final Path errors;

  private TaskInProcess(TaskName task, Process process, Path errors) {
    this.task = task;
    this.process = process;
    this.errors = errors;
  }

  /** Starts it; {@link #awaitReady} tells when it serves. */
  static TaskInProcess start(ClusterSpec cluster, TaskName task, Duration silence)
      throws IOException {
    return start(cluster, task, silence, FastPaths.ALL, 0);
  }

  /**
   * @param streamPort where others call it past gRPC; 0 for any
   */
  static TaskInProcess start(
      ClusterSpec cluster, TaskName task, Duration silence, FastPaths paths, int streamPort)
      throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-Xshare:auto",
            "-XX:TieredStopAtLevel=1", // Tests are short: starting fast matters more.
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            ServerMain.class.getName(),
            cluster.toJson(),
            task.job(),
            Integer.toString(task.index()),
            Long.toString(silence.toMillis()),
            paths.name(),
            Integer.toString(streamPort));
    Path errors = Files.createTempFile("task", ".err");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    return new TaskInProcess(task, process, errors);
  }

  void awaitReady() throws Exception {
    CompletableFuture<String> line =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return process.inputReader().readLine();
              } catch (IOException e) {
                return e.toString();
              }
            });
    String ready = line.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    assertThat(ready).as("%s: %s", task, Files.readString(errors)).contains("serves at");
  }

  void freeze() throws Exception {
    signal("STOP");
  }

  void resume() throws Exception {
    signal("CONT");
  }

  void kill() throws InterruptedException {
    process.destroyForcibly();
    assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as("%s ended", task).isTrue();
  }

  @Override
  public void close() throws Exception {
    kill();
    Files.delete(errors);
  }

  private void signal(String name) throws Exception {
    Process kill =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start();
    assertThat(kill.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(kill.exitValue()).isZero();
  }
}
