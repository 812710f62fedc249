package dev.tributary.bench;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A driver that says what it is told to say and writes down what it hears. */
final class Listener {
  /** Too short for the figures to mean much. */
  static final Timing TRIAL = new Timing(2, 1e-3);

  private Listener() {}

  static List<String> said(Workload workload, String heard) {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    ByteArrayInputStream in = new ByteArrayInputStream(heard.getBytes(StandardCharsets.UTF_8));
    workload.run(new Driver(in, new PrintStream(said, true, StandardCharsets.UTF_8)), TRIAL);
    return said.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
