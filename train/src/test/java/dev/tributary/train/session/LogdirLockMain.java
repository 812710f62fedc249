package dev.tributary.train.session;

import dev.tributary.error.TributaryException;
import java.nio.file.Path;

/** Tries to take a folder for a chief, {@code LogdirLockMain FOLDER}, and prints the outcome. */
final class LogdirLockMain {
  private LogdirLockMain() {}

  public static void main(String[] arguments) {
    try (LogdirLock lock = LogdirLock.take(Path.of(arguments[0]))) {
      System.out.print("taken");
    } catch (TributaryException e) {
      System.out.print(e.code());
    }
  }
}
