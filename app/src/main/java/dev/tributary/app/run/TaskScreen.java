package dev.tributary.app.run;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.app.launch.TaskProcess;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A person's view of the tasks: the lines that they print, each behind its task's name, and on a
 * terminal below them the state of each task. Guarded by its own monitor.
 */
final class TaskScreen implements AutoCloseable {
  private static final long REDRAW_MILLIS = 500;
  private static final String CLEAR_BELOW = "\u001b[J";
  private static final String PLAIN = "\u001b[0m";

  /** Colours that can be read on light and on dark ground. */
  private static final int[] COLOURS = {36, 32, 35, 34, 33, 31};

  private static final int FIRST_SIGNAL = 128;
  private static final int SIGNALS = 65;
  private static final int KILL = 9;

  /** As many states as fit on a small terminal above a person's next command. */
  private static final int MOST_DRAWN = 16;

  private final PrintWriter out;
  private final boolean isTerminal;
  private final Thread drawing = new Thread(this::drawOften, "tributary-run-screen");

  @GuardedBy("this")
  private final List<TaskProcess> tasks = new ArrayList<>();

  /** Lines of states on the screen. */
  @GuardedBy("this")
  private int drawn;

  @GuardedBy("this")
  private boolean closed;

  /**
   * @param isTerminal whether lines may be drawn over
   */
  TaskScreen(PrintWriter out, boolean isTerminal) {
    this.out = out;
    this.isTerminal = isTerminal;
    if (isTerminal) {
      drawing.setDaemon(true);
      drawing.start();
    }
  }

  /** Shows the state of this task, too. */
  synchronized void show(TaskProcess task) {
    tasks.add(task);
  }

  /** Prints a line of a task. */
  synchronized void line(String task, String text) {
    print(prefix(task) + text);
  }

  /** Prints a line of the launcher's own. */
  synchronized void notice(String text) {
    print("tributary: " + text);
  }

  @GuardedBy("this")
  private void print(String line) {
    erase();
    out.println(line);
    draw();
    out.flush();
  }

  @GuardedBy("this")
  private String prefix(String task) {
    int number = 0;
    while (number < tasks.size() && !tasks.get(number).name().equals(task)) {
      number++;
    }
    String name = String.format("%-11s | ", task);
    return isTerminal ? "\u001b[" + COLOURS[number % COLOURS.length] + "m" + name + PLAIN : name;
  }

  private void drawOften() {
    synchronized (this) {
      while (!closed) {
        erase();
        draw();
        out.flush();
        try {
          wait(REDRAW_MILLIS);
        } catch (InterruptedException e) {
          return;
        }
      }
    }
  }

  @GuardedBy("this")
  private void draw() {
    if (!isTerminal || closed) {
      return;
    }
    List<TaskProcess> shown = shown();
    for (TaskProcess task : shown) {
      String again = task.restarts() == 0 ? "" : ", start " + (task.restarts() + 1);
      out.printf("  %-11s %s%s%n", task.name(), state(task), again);
    }
    drawn = shown.size();
    if (drawn < tasks.size()) {
      out.printf("  and %d more%n", tasks.size() - drawn);
      drawn++;
    }
  }

  /** All tasks, or if they are too many those first that have ended. */
  @GuardedBy("this")
  private List<TaskProcess> shown() {
    return tasks.size() <= MOST_DRAWN
        ? tasks
        : tasks.stream()
            .sorted(Comparator.comparing(TaskProcess::isAlive))
            .limit(MOST_DRAWN - 1)
            .toList();
  }

  @GuardedBy("this")
  private void erase() {
    if (drawn > 0) {
      out.printf("\r\u001b[%dA%s", drawn, CLEAR_BELOW);
      drawn = 0;
    }
  }

  /** Takes the states from the screen and draws no more. */
  @Override
  public synchronized void close() {
    closed = true;
    erase();
    out.flush();
    notifyAll();
  }

  /** Returns what a process does, or how it has ended. */
  static String state(TaskProcess task) {
    if (task.exitCode().isEmpty()) {
      return "running, process " + task.pid();
    }
    int code = task.exitCode().getAsInt();
    if (code == FIRST_SIGNAL + KILL) {
      return "ended by signal 9; if nobody sent it, memory was short: raise it, or run fewer tasks";
    }
    return code > FIRST_SIGNAL && code < FIRST_SIGNAL + SIGNALS
        ? "ended by signal " + (code - FIRST_SIGNAL)
        : "ended with exit code " + code;
  }
}
