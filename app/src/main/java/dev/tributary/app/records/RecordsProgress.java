package dev.tributary.app.records;

import dev.tributary.app.launch.Terminal;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * A bar on standard error that shows how far a command is: drawn over and over on a terminal, a
 * line every few seconds elsewhere. Safe for use by many threads.
 */
final class RecordsProgress implements AutoCloseable {
  private static final int REDRAW_MILLIS = 200;
  private static final int LINES_MILLIS = 5000;
  private static final int LINE_WIDTH = 78;

  private final ProgressBar bar;

  RecordsProgress(String task, long whole) {
    boolean isTerminal = Terminal.isPresent();
    bar =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(whole)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(isTerminal ? REDRAW_MILLIS : LINES_MILLIS)
            .setConsumer(
                isTerminal
                    ? new ConsoleProgressBarConsumer(System.err)
                    : new DelegatingProgressBarConsumer(System.err::println, LINE_WIDTH))
            .build();
  }

  void made(long more) {
    bar.stepBy(more);
  }

  @Override
  public void close() {
    bar.close();
  }
}
