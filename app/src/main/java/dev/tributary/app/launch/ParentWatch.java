package dev.tributary.app.launch;

import java.io.IOException;
import picocli.CommandLine.Option;

/**
 * Ends this process with the one that started it. The parent holds the other end of standard input
 * for as long as it lives, however it dies.
 */
public final class ParentWatch {
  /** The option, as {@link TaskProcesses} gives it to the processes that it starts. */
  static final String OPTION = "--end-with-input";

  @Option(names = OPTION, hidden = true)
  private boolean wanted;

  /** Returns whether this process was started by {@link TaskProcesses}. */
  public boolean wanted() {
    return wanted;
  }

  /** Begins to watch, if the command line asks for it. */
  public void start() {
    if (wanted) {
      Thread watch = new Thread(ParentWatch::awaitEnd, "tributary-parent-watch");
      watch.setDaemon(true);
      watch.start();
    }
  }

  private static void awaitEnd() {
    try {
      while (System.in.read() >= 0) {
        // Nobody writes; only the end counts.
      }
    } catch (IOException e) {
      // As good as the end.
    }
    System.exit(0);
  }
}
