package dev.tributary.app.digits;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A bar on the terminal; several make several lines. */
final class ProgressOnTerminal implements Progress {
  private static final int REFRESH_MILLIS = 200;

  private final ProgressBar bar;

  ProgressOnTerminal(String name, int steps) {
    bar =
        new ProgressBarBuilder()
            .setTaskName(name)
            .setInitialMax(steps)
            .setUpdateIntervalMillis(REFRESH_MILLIS)
            .setStyle(ProgressBarStyle.ASCII)
            .build();
  }

  @Override
  public void step(int step, float loss) {
    bar.stepTo(step);
    bar.setExtraMessage(String.format("loss %.4f", loss));
  }

  @Override
  public void close() {
    bar.close();
  }
}
