package dev.tributary.train.testing;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Lines that are logged while it is open; they go to the standard error stream as well. */
public final class CapturedLog implements AutoCloseable {
  private final PrintStream before = System.err;
  private final ByteArrayOutputStream captured = new ByteArrayOutputStream();

  private CapturedLog() {}

  public static CapturedLog start() {
    CapturedLog log = new CapturedLog();
    System.setErr(new PrintStream(log.new Tee(), true, StandardCharsets.UTF_8));
    return log;
  }

  /** The lines of one level, such as WARN, so far. */
  public List<String> lines(String level) {
    return captured
        .toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.contains(" " + level + " "))
        .toList();
  }

  @Override
  public void close() {
    System.setErr(before);
  }

  private final class Tee extends OutputStream {
    @Override
    public void write(int octet) {
      captured.write(octet);
      before.write(octet);
    }
  }
}
