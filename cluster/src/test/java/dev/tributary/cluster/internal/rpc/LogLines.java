package dev.tributary.cluster.internal.rpc;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Watches what is logged, which still goes where it went. Guarded by its own monitor. */
final class LogLines extends OutputStream implements AutoCloseable {
  private final PrintStream original;
  private final StringBuilder line = new StringBuilder();
  private String longest = "";
  private int count;

  private LogLines(PrintStream original) {
    this.original = original;
  }

  /** From now on, until it is closed. */
  static LogLines watch() {
    LogLines lines = new LogLines(System.err);
    System.setErr(new PrintStream(lines, true, StandardCharsets.UTF_8));
    return lines;
  }

  synchronized int count() {
    return count;
  }

  synchronized String longest() {
    return longest;
  }

  @Override
  public synchronized void write(int character) {
    original.write(character);
    if (character != '\n') {
      line.append((char) character);
      return;
    }
    count++;
    if (line.length() > longest.length()) {
      longest = line.toString();
    }
    line.setLength(0);
  }

  @Override
  public void flush() {
    original.flush();
  }

  @Override
  public void close() {
    System.setErr(original);
  }
}
