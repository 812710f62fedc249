package dev.tributary.app.digits;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.app.launch.Terminal;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;

/**
 * Progress for a person: on a terminal a line with a bar that is drawn over and over, elsewhere a
 * plain line every few seconds. Both go to standard error; lines that stay go to the command's
 * output, above the bar, and so does what is logged to standard error. Guarded by its own monitor.
 */
final class ProgressDisplay implements Progress {
  private static final Duration REDRAW = Duration.ofMillis(200);
  private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);
  private static final String CLEAR = "\r\u001b[K";

  private final PrintWriter out;
  private final PrintStream err;
  private final long steps;
  private final boolean isTerminal;
  private final ProgressBar ticker;

  @GuardedBy("this")
  private String status = "";

  @GuardedBy("this")
  private Optional<ProgressText> text = Optional.empty();

  @GuardedBy("this")
  private long firstStep;

  @GuardedBy("this")
  private long firstNanos;

  @GuardedBy("this")
  private String drawn = "";

  @GuardedBy("this")
  private boolean isErrReplaced;

  private boolean isLineOpen; // Somebody else has printed a part of a line.

  /**
   * @param isTerminal whether lines may be drawn over
   * @param steps of the whole training
   */
  ProgressDisplay(PrintWriter out, PrintStream err, boolean isTerminal, long steps) {
    this.out = out;
    this.err = err;
    this.isTerminal = isTerminal;
    this.steps = steps;
    Duration interval = isTerminal ? REDRAW : BETWEEN_LINES;
    this.ticker =
        new ProgressBarBuilder()
            .setInitialMax(steps)
            .setUpdateIntervalMillis((int) interval.toMillis())
            .continuousUpdate()
            .setRenderer((state, width) -> render(width))
            .setConsumer(new Screen())
            .build();
  }

  /** A display for whatever this process prints to. */
  static ProgressDisplay of(PrintWriter out, long steps) {
    boolean isTerminal = Terminal.isPresent();
    ProgressDisplay display = new ProgressDisplay(out, System.err, isTerminal, steps);
    if (isTerminal) {
      display.replaceErr();
    }
    return display;
  }

  private synchronized void replaceErr() {
    System.setErr(new PrintStream(aboveBar(), true));
    isErrReplaced = true;
  }

  @Override
  public void status(String newStatus) {
    synchronized (this) {
      status = newStatus;
      text = Optional.empty();
    }
    ticker.refresh();
  }

  @Override
  public synchronized void step(long globalStep, float loss) {
    // After a restore the step is an earlier one.
    if (text.isEmpty() || globalStep < firstStep) {
      firstStep = globalStep;
      firstNanos = System.nanoTime();
    }
    text = Optional.of(new ProgressText(globalStep, steps, loss, timeLeft(globalStep)));
  }

  @GuardedBy("this")
  private Optional<Duration> timeLeft(long globalStep) {
    long made = globalStep - firstStep;
    double perStep = (double) (System.nanoTime() - firstNanos) / made;
    return made == 0 || globalStep >= steps
        ? Optional.empty()
        : Optional.of(Duration.ofNanos((long) (perStep * (steps - globalStep))));
  }

  @Override
  public synchronized void line(String line) {
    if (isTerminal) {
      err.print(CLEAR);
      err.flush();
    }
    out.println(line);
    out.flush();
    if (isTerminal) {
      err.print(drawn);
      err.flush();
    }
  }

  @Override
  public void close() {
    ticker.close();
    synchronized (this) {
      if (isErrReplaced) {
        System.setErr(err);
      }
    }
  }

  /** Returns where others may print while the bar is on the screen. */
  OutputStream aboveBar() {
    return new AboveBar();
  }

  private synchronized String render(int width) {
    String shown =
        isTerminal
            ? text.map(t -> t.bar(width)).orElse(status)
            : text.map(ProgressText::plain).orElse(status);
    return isTerminal ? shown.substring(0, Math.min(width, shown.length())) : shown;
  }

  /** The consumer through which the timer of the bar draws it. */
  private final class Screen implements ProgressBarConsumer {
    private final ConsoleProgressBarConsumer console = new ConsoleProgressBarConsumer(err);

    @Override
    public int getMaxRenderedLength() {
      return isTerminal ? console.getMaxRenderedLength() : Integer.MAX_VALUE;
    }

    @Override
    public void accept(String line) {
      synchronized (ProgressDisplay.this) {
        if (isTerminal && !isLineOpen) {
          err.print(CLEAR + line);
        } else if (!isTerminal && !line.isEmpty() && !line.equals(drawn)) {
          err.println(line);
        }
        err.flush();
        drawn = line;
      }
    }

    @Override
    public void close() {
      synchronized (ProgressDisplay.this) {
        if (isTerminal) {
          err.println();
        }
        drawn = "";
      }
    }
  }

  /** Output of others to standard error, such as log lines. */
  private final class AboveBar extends OutputStream {
    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) {
      synchronized (ProgressDisplay.this) {
        if (count == 0) {
          return;
        }
        if (!isLineOpen) {
          err.print(CLEAR);
        }
        err.write(bytes, from, count);
        isLineOpen = bytes[from + count - 1] != '\n';
        if (!isLineOpen) {
          err.print(drawn);
        }
        err.flush();
      }
    }
  }
}
