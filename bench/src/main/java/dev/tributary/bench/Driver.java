package dev.tributary.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The program that started us and reads our lines. Confined to one thread. */
final class Driver {
  private final BufferedReader in;
  private final PrintStream out;

  Driver(InputStream in, PrintStream out) {
    this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    this.out = out;
  }

  /** Says that this process serves. */
  void ready() {
    say("READY");
  }

  /** Waits until all clients of the run have come here. */
  void sync() {
    say("SYNC");
    try {
      if (in.readLine() == null) {
        throw new IllegalStateException(
            "the driver went away: after SYNC there was no line but the end of the input");
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot hear the driver", e);
    }
  }

  void report(Figure figure) {
    say("RESULT " + figure.toJson());
  }

  private void say(String line) {
    out.println(line);
    out.flush();
  }
}
