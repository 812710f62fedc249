package dev.tributary.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A program of ours in a process of its own, with a limit on every wait. Tests that use it carry
 * {@code @Tag("processes")}, by which the fast build leaves them out.
 */
public final class JavaProgram implements AutoCloseable {
  private static final int LIMIT_SECONDS = 90;

  private final Process process;
  private final Thread reader;
  private final BlockingQueue<String> unread = new LinkedBlockingQueue<>();
  private final List<String> lines = new ArrayList<>();

  private JavaProgram(Process process) {
    this.process = process;
    reader = new Thread(this::read, "program-output");
    reader.setDaemon(true);
  }

  public static JavaProgram start(Class<?> main, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("-cp", System.getProperty("java.class.path")));
    all.add(main.getName());
    all.addAll(List.of(arguments));
    return start(all);
  }

  /** Starts Java with a class path or module path of the caller's choice. */
  public static JavaProgram start(List<String> javaArguments) throws IOException {
    return start(javaArguments, environment -> {});
  }

  /** The same with changes of the environment that it inherits. */
  public static JavaProgram start(
      List<String> javaArguments, Consumer<Map<String, String>> environment) throws IOException {
    assertThat(System.getProperty("tributary.tests.processes", "true"))
        .as("a test that starts a process needs @Tag(\"processes\"): may processes be started")
        .isEqualTo("true");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    // Programs of tests end before the optimizing compiler pays off, which took a third of their
    // time. Tasks that they start inherit these flags.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    // As the README says: without them Java warns.
    if (Runtime.version().feature() >= 24) {
      command.add("--sun-misc-unsafe-memory-access=allow");
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.addAll(javaArguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    environment.accept(builder.environment());
    JavaProgram program = new JavaProgram(builder.start());
    program.reader.start();
    return program;
  }

  /** The same with leak detection: a program that leaves tensors open does not succeed. */
  public static JavaProgram startLeakChecked(Class<?> main, String... arguments)
      throws IOException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add(0, main.getName());
    return start(LeakChecked.class, all.toArray(new String[0]));
  }

  /** Waits for a line that contains this text. */
  public JavaProgram awaitLine(String text) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (true) {
      String line = unread.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      assertThat(line).as("a line with '%s' after %s", text, lines).isNotNull();
      lines.add(line);
      if (line.contains(text)) {
        return this;
      }
    }
  }

  /** Waits for the end of the program, which must be a good one; gives all its lines. */
  public List<String> awaitSuccess() throws InterruptedException {
    assertThat(awaitExitCode()).as(String.join("\n", lines)).isZero();
    return lines;
  }

  /** Waits for the end of the program; gives its exit code. */
  public int awaitExitCode() throws InterruptedException {
    assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
        .as("ended; said %s and %s", lines, unread)
        .isTrue();
    TimeUnit.SECONDS.timedJoin(reader, LIMIT_SECONDS);
    unread.drainTo(lines);
    return process.exitValue();
  }

  /** What it has said so far, as far as it was awaited. */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  /** The process, to be ended in unusual ways. */
  public ProcessHandle handle() {
    return process.toHandle();
  }

  /** Ends its input, which ends the programs that serve. */
  public JavaProgram endInput() throws IOException {
    process.getOutputStream().close();
    return this;
  }

  @Override
  public void close() throws Exception {
    process.destroyForcibly();
    assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  private void read() {
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      output.lines().forEach(unread::add);
    } catch (IOException | java.io.UncheckedIOException e) {
      // The process was ended.
    }
  }
}
