package dev.tributary.bench.scale;

import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A picture of a series: times on the left, memory on the right. Confined to one thread. */
final class Plot {
  /** The limit for an idle task. */
  private static final double LIMIT_MEGABYTES = 8;

  private static final int WIDTH = 620;
  private static final int HEIGHT = 420;
  private static final BasicStroke DASHES =
      new BasicStroke(1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL, 1, new float[] {6, 4}, 0);

  private final Series series;

  Plot(Series series) {
    this.series = series;
  }

  /** Writes a PNG. */
  void write(Path file) throws IOException {
    List<XYChart> charts =
        switch (series.growth()) {
          case TASKS -> List.of(taskTimes(), taskMemory());
          case NODES -> List.of(nodeTimes(), nodeMemory());
        };
    try (OutputStream out = Files.newOutputStream(file)) {
      BitmapEncoder.saveBitmap(charts, 1, charts.size(), out, BitmapFormat.PNG);
    }
  }

  private XYChart taskTimes() {
    XYChart chart = chart("Time of a step", "tasks in one process", "microseconds");
    addLines(chart, Quantity.SPANNING_STEP, Quantity.NULL_STEP);
    return fromZero(chart);
  }

  private XYChart taskMemory() {
    XYChart chart = chart("Memory of the process", "tasks in one process", "MB");
    addLimit(chart);
    addLines(chart, Quantity.USED_RESIDENT, Quantity.IDLE_RESIDENT, Quantity.IDLE_HEAP);
    return fromZero(chart);
  }

  private XYChart nodeTimes() {
    XYChart chart = chart("Time on 3 tasks", "nodes of the graph", "milliseconds");
    addLines(chart, Quantity.FIRST_RUN, Quantity.LATER_STEP);
    return logarithmic(chart);
  }

  private XYChart nodeMemory() {
    XYChart chart = chart("Memory of the process", "nodes of the graph", "MB");
    addLines(chart, Quantity.USED_RESIDENT, Quantity.OPEN_HEAP, Quantity.CLOSED_HEAP);
    return logarithmic(chart);
  }

  private static XYChart chart(String title, String across, String up) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(across)
            .yAxisTitle(up)
            .build();
    chart
        .getStyler()
        .setXAxisDecimalPattern("#,##0")
        .setYAxisDecimalPattern("#,##0")
        .setChartBackgroundColor(Color.WHITE)
        .setLegendPosition(LegendPosition.InsideNW)
        .setLegendBorderColor(Color.LIGHT_GRAY);
    return chart;
  }

  private void addLines(XYChart chart, Quantity... quantities) {
    for (Quantity quantity : quantities) {
      List<Point> known =
          series.points().stream().filter(p -> p.value(quantity).isPresent()).toList();
      // A cluster of one task has no step of two.
      if (!known.isEmpty()) {
        chart
            .addSeries(
                quantity.title(),
                known.stream().mapToDouble(Point::size).toArray(),
                known.stream().mapToDouble(p -> p.value(quantity).getAsDouble()).toArray())
            .setMarker(SeriesMarkers.CIRCLE);
      }
    }
  }

  /** The limit of a process: the use of the smallest cluster, and the limit for each more. */
  private void addLimit(XYChart chart) {
    Point least = series.points().get(0);
    double base = least.value(Quantity.IDLE_RESIDENT).orElse(0);
    double[] sizes = series.points().stream().mapToDouble(Point::size).toArray();
    double[] limits =
        Arrays.stream(sizes).map(n -> base + LIMIT_MEGABYTES * (n - least.size())).toArray();
    chart
        .addSeries("limit: %.0f MB for each further task".formatted(LIMIT_MEGABYTES), sizes, limits)
        .setMarker(SeriesMarkers.NONE)
        .setLineColor(Color.GRAY)
        .setLineStyle(DASHES);
  }

  private static XYChart fromZero(XYChart chart) {
    chart.getStyler().setXAxisMin(0.0).setYAxisMin(0.0);
    return chart;
  }

  /** With whole decades up, as only those are labelled. */
  private static XYChart logarithmic(XYChart chart) {
    double[] values =
        chart.getSeriesCollection().stream()
            .flatMapToDouble(line -> DoubleStream.of(line.getYData()))
            .toArray();
    double least = Math.floor(Math.log10(Arrays.stream(values).min().orElse(1)));
    double most = Math.ceil(Math.log10(Arrays.stream(values).max().orElse(10)));
    chart
        .getStyler()
        .setXAxisLogarithmic(true)
        .setYAxisLogarithmic(true)
        .setYAxisMin(Math.pow(10, least))
        .setYAxisMax(Math.pow(10, most));
    return chart;
  }
}
