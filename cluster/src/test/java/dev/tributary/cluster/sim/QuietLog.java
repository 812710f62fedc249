package dev.tributary.cluster.sim;

import java.io.OutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Drops the standard error stream, where masters and workers log each of thousands of faults. */
final class QuietLog implements BeforeAllCallback, AfterAllCallback {
  private PrintStream before;

  @Override
  public void beforeAll(ExtensionContext context) {
    before = System.err;
    System.setErr(new PrintStream(OutputStream.nullOutputStream()));
  }

  @Override
  public void afterAll(ExtensionContext context) {
    System.setErr(before);
  }
}
