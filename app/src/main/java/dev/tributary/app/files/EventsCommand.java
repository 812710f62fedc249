package dev.tributary.app.files;

import dev.tributary.app.launch.OptionRange;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.scalars.EventFiles;
import dev.tributary.internal.scalars.RunScalars;
import dev.tributary.internal.scalars.ScalarPoint;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the scalars of event files. */
@Command(
    name = "events",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Plots the scalars in the event files of a folder and of its subfolders; each folder is a"
          + " run.",
      "Also reads files of a training that is still running."
    })
public final class EventsCommand implements Callable<Integer> {
  private static final int PLOT_HEIGHT = 10;
  private static final int LEAST_WIDTH = 10;
  private static final int MOST_WIDTH = 1000;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "Folder with event files, or one event file.")
  private Path path;

  @Option(
      names = "--tag",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "Show only scalars whose tags contain this text.",
      showDefaultValue = Visibility.NEVER)
  private String tag;

  @Option(
      names = "--points",
      description = "Print one line per point (run, tag, step, value, time) instead of plots.")
  private boolean points;

  @Option(
      names = "--width",
      paramLabel = "COLUMNS",
      defaultValue = "64",
      description = "Width of the plots.")
  private int width;

  @Override
  public Integer call() {
    OptionRange.require("--width", width, LEAST_WIDTH, MOST_WIDTH);
    PrintWriter out = spec.commandLine().getOut();
    int shown = 0;
    SortedMap<String, List<Path>> runs = EventFiles.runs(path);
    for (Map.Entry<String, List<Path>> run : runs.entrySet()) {
      for (Map.Entry<String, List<ScalarPoint>> series :
          RunScalars.read(run.getValue()).byTag().entrySet()) {
        if (series.getKey().contains(tag)) {
          show(out, run.getKey(), series.getKey(), series.getValue());
          shown++;
        }
      }
    }
    out.flush();
    if (shown == 0) {
      throw nothing(runs);
    }
    return 0;
  }

  private void show(PrintWriter out, String run, String name, List<ScalarPoint> series) {
    if (points) {
      for (ScalarPoint point : series) {
        out.printf(
            Locale.ROOT,
            "%s\t%s\t%d\t%s\t%s%n",
            run,
            name,
            point.step(),
            point.value(),
            Instant.ofEpochMilli(Math.round(point.wallTime() * 1000)));
      }
      return;
    }
    ScalarPoint last = series.get(series.size() - 1);
    out.printf(
        Locale.ROOT,
        "%s%s: %d points, last %.6g at step %d%n",
        run.equals(".") ? "" : run + " ",
        name,
        series.size(),
        last.value(),
        last.step());
    out.println(new ScalarPlot(width, PLOT_HEIGHT).draw(series));
  }

  private TributaryException nothing(SortedMap<String, List<Path>> runs) {
    return runs.isEmpty()
        ? TributaryException.notFound("%s has no event file; their names contain 'tfevents'", path)
        : TributaryException.notFound(
            "the %d event files in %s have no scalars%s",
            runs.values().stream().mapToInt(List::size).sum(),
            path,
            tag.isEmpty() ? "" : " whose tag contains '" + tag + "'");
  }
}
