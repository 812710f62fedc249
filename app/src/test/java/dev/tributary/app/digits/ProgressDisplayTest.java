package dev.tributary.app.digits;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProgressDisplayTest {
  /** Both streams of the process, as one screen. */
  private final ByteArrayOutputStream screen = new ByteArrayOutputStream();

  @Test
  void display_inAFile_printsPlainLines() {
    try (ProgressDisplay display = display(false)) {
      display.status("starting ps 0");
      display.line("a line that stays");
      display.step(690, 0.5f);
    }

    assertThat(shown())
        .isEqualTo(
            "starting ps 0\na line that stays\nstep 690 of 690 (100 %), loss 0.5000\n"
                .replace("\n", System.lineSeparator()));
  }

  @Test
  void display_onATerminal_keepsLinesAboveTheBar() {
    try (ProgressDisplay display = display(true)) {
      display.status("starting ps 0");
      display.line("a line that stays");
    }

    String clear = "\r\u001b[K";
    assertThat(shown()).contains(clear + "a line that stays" + System.lineSeparator());
    assertThat(shown()).contains(clear + "starting ps 0").endsWith(System.lineSeparator());
  }

  @Test
  void display_onATerminal_keepsLogLinesAboveTheBar() throws Exception {
    try (ProgressDisplay display = display(true)) {
      display.status("starting ps 0");
      display.aboveBar().write("a log ".getBytes(StandardCharsets.UTF_8));
      display.aboveBar().write("line\n".getBytes(StandardCharsets.UTF_8));
    }

    assertThat(shown()).contains("\r\u001b[Ka log line\nstarting ps 0");
  }

  @Test
  void relay_linesOfAnotherProcess_areShown() {
    try (ProgressDisplay display = display(false)) {
      ProgressLines.relay("status waiting for the model", display);
      ProgressLines.relay("worker 0: done", display);
      ProgressLines.relay("step 345 loss NaN", display);
    }

    assertThat(shown().lines())
        .containsExactly(
            "waiting for the model", "worker 0: done", "step 345 of 690 (50 %), loss NaN");
  }

  private ProgressDisplay display(boolean isTerminal) {
    PrintStream stream = new PrintStream(screen, true, StandardCharsets.UTF_8);
    return new ProgressDisplay(
        new PrintWriter(stream, true, StandardCharsets.UTF_8), stream, isTerminal, 690);
  }

  private String shown() {
    return screen.toString(StandardCharsets.UTF_8);
  }
}
