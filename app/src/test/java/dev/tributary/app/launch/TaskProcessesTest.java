package dev.tributary.app.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class TaskProcessesTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir Path folder;
  private final List<String> notices = new ArrayList<>();
  private final Queue<String> printed = new ConcurrentLinkedQueue<>();
  private TaskProcesses processes;

  @AfterEach
  void close() {
    processes.close();
  }

  @Test
  void task_thatDies_isRestartedAndKeepsItsLog() throws Exception {
    processes = processes(2);
    TaskProcess task = start("worker 0", "7", "1", "0");

    processes.awaitSuccess(List.of(task));

    assertThat(printed).containsExactly("try 1", "try 2", "try 3");
    assertThat(notices)
        .containsExactly(
            "worker 0 ended with exit code 7; it is restarted (1 of 2), its log is " + task.log(),
            "worker 0 ended with exit code 1; it is restarted (2 of 2), its log is " + task.log());
    assertThat(task.log()).isEqualTo(folder.resolve("logs/worker-0.log"));
    assertThat(Files.readString(task.log()))
        .contains("--- worker 0, start 1, ", "log of try 1", "start 3", "log of try 3");
  }

  @Test
  void task_thatDiesTooOften_failsWithTheEndOfItsLog() {
    processes = processes(1);
    TaskProcess task = start("worker 0", "7", "9", "0");

    assertThatThrownBy(() -> processes.awaitSuccess(List.of(task)))
        .isInstanceOf(TributaryException.class)
        .hasMessageContainingAll(
            "worker 0 ended with exit code 9 after a restart",
            task.log().toString(),
            "log of try 2")
        .hasMessageNotContaining("log of try 1");
  }

  @Test
  void task_thatWouldFailAgain_isNotRestarted() {
    processes = processes(3);
    TaskProcess task = start("worker 0", Integer.toString(TaskProcesses.NOT_RESTARTED), "0");

    assertThatThrownBy(() -> processes.awaitSuccess(List.of(task)))
        .hasMessageContaining("worker 0 ended with exit code 3; the end of its log")
        .hasMessageContaining("log of try 1");
    assertThat(notices).isEmpty();
  }

  @Test
  void task_besideThoseAwaited_isRestartedToo() throws Exception {
    processes = processes(3);
    TaskProcess server = start("ps 0", "7", "sleep");
    TaskProcess worker = start("worker 0", "await ps 0", "0");

    processes.awaitSuccess(List.of(worker));

    assertThat(notices).hasSize(1);
    assertThat(notices.get(0)).startsWith("ps 0 ended with exit code 7; it is restarted (1 of 3)");
    assertThat(server.isAlive()).isTrue();
    processes.close();
    assertThat(server.isAlive()).isFalse();
  }

  @Test
  void task_thatIsToldToEnd_hasItsLastWordsPassedOn() throws Exception {
    processes = processes(0);
    start("ps 0", "last words");
    TaskProcess worker = start("worker 0", "await last words", "0");
    processes.awaitSuccess(List.of(worker));

    processes.close();

    assertThat(printed).contains("told to end");
  }

  private TaskProcesses processes(int restarts) {
    return new TaskProcesses(
        new TaskProcesses.Restarts(folder.resolve("logs"), restarts, notices::add));
  }

  private TaskProcess start(String name, String... script) {
    List<String> arguments = new ArrayList<>(List.of(folder.toString(), name));
    arguments.addAll(List.of(script));
    return processes.start(name, Program.ofThis(Script.class, arguments), printed::add);
  }

  /**
   * A task whose arguments say what it does each time that it is started: end with an exit code,
   * sleep, with or without a word when it is told to end, or wait until another task has been
   * started twice or sleeps so.
   */
  static final class Script {
    public static void main(String[] arguments) throws Exception {
      int number = start(Path.of(arguments[0], arguments[1]));
      System.out.println("try " + number);
      System.err.println("log of try " + number);
      String action = arguments[1 + number];
      if (action.equals("sleep")) {
        Thread.sleep(LIMIT.toMillis());
      } else if (action.equals("last words")) {
        Runtime.getRuntime().addShutdownHook(new Thread(Script::speakSlowly));
        Files.writeString(Path.of(arguments[0], action), "xx");
        Thread.sleep(LIMIT.toMillis());
      } else if (action.startsWith("await ")) {
        Path other = Path.of(arguments[0], action.substring("await ".length()));
        while (!Files.exists(other) || Files.size(other) < 2) {
          Thread.onSpinWait();
        }
      } else {
        System.exit(Integer.parseInt(action));
      }
    }

    /** Speaks when the others have had time to stop listening. */
    private static void speakSlowly() {
      long start = System.nanoTime();
      while (System.nanoTime() - start < 300_000_000) {
        Thread.onSpinWait();
      }
      System.out.println("told to end");
    }

    /** Counts the starts in a file. */
    private static int start(Path file) throws Exception {
      String before = Files.exists(file) ? Files.readString(file) : "";
      Files.writeString(file, before + "x");
      return before.length() + 1;
    }
  }
}
