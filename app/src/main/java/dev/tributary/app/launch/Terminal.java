package dev.tributary.app.launch;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** The terminal that this process prints to, if any. */
public final class Terminal {
  private Terminal() {}

  /** Returns whether both standard output and standard error are a terminal. */
  public static boolean isPresent() {
    try {
      Process test =
          new ProcessBuilder("sh", "-c", "test -t 1 && test -t 2")
              .redirectOutput(ProcessBuilder.Redirect.INHERIT)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      return test.waitFor(5, TimeUnit.SECONDS) && test.exitValue() == 0;
    } catch (IOException e) {
      return false; // No such shell, so nothing that is known to work can be drawn.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
