package dev.tributary.bench.scale;

import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A picture of a series: times on the left, memory on the right. Confined to one thread. */
final class Plot {
  /** What an idle task may take. */
  private static final double LIMIT_MEGABYTES = 8;

  private static final int WIDTH = 620;
  private static final int HEIGHT = 420;
  private static final Color LIMIT_COLOR = new Color(170, 60, 60);

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
    return chart("Time of a step (microseconds)", Quantity.NULL_STEP, Quantity.SPANNING_STEP);
  }

  private XYChart taskMemory() {
    XYChart chart =
        chart(
            "Memory of the process (MB)",
            Quantity.USED_RESIDENT,
            Quantity.IDLE_RESIDENT,
            Quantity.IDLE_HEAP);
    addLimit(chart);
    return chart;
  }

  private XYChart nodeTimes() {
    return logarithmic(chart("Time (milliseconds)", Quantity.FIRST_RUN, Quantity.LATER_STEP));
  }

  private XYChart nodeMemory() {
    return logarithmic(
        chart(
            "Memory of the process (MB)",
            Quantity.USED_RESIDENT,
            Quantity.OPEN_HEAP,
            Quantity.CLOSED_HEAP));
  }

  private XYChart chart(String title, Quantity... quantities) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .theme(ChartTheme.XChart)
            .title(title)
            .xAxisTitle(series.growth().word())
            .build();
    chart
        .getStyler()
        .setChartBackgroundColor(Color.WHITE)
        .setLegendPosition(LegendPosition.OutsideS);
    chart.getStyler().setYAxisMin(0.0);
    for (Quantity quantity : quantities) {
      addLine(chart, quantity);
    }
    return chart;
  }

  private void addLine(XYChart chart, Quantity quantity) {
    List<Point> known =
        series.points().stream().filter(p -> p.value(quantity).isPresent()).toList();
    if (known.isEmpty()) {
      return; // A cluster of one task alone has no step of two.
    }
    chart
        .addSeries(
            quantity.title(),
            known.stream().mapToDouble(Point::size).toArray(),
            known.stream().mapToDouble(p -> p.value(quantity).getAsDouble()).toArray())
        .setMarker(SeriesMarkers.CIRCLE);
  }

  /** What the process may hold: what the smallest cluster does, and the limit for each more. */
  private void addLimit(XYChart chart) {
    Point least = series.points().get(0);
    double base = least.value(Quantity.IDLE_RESIDENT).orElse(0);
    double[] sizes = series.points().stream().mapToDouble(Point::size).toArray();
    double[] limits =
        Arrays.stream(sizes).map(n -> base + LIMIT_MEGABYTES * (n - least.size())).toArray();
    chart
        .addSeries("limit: %.0f MB for each further task".formatted(LIMIT_MEGABYTES), sizes, limits)
        .setMarker(SeriesMarkers.NONE)
        .setLineColor(LIMIT_COLOR)
        .setLineStyle(
            new BasicStroke(
                1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL, 1, new float[] {6, 4}, 0));
  }

  private static XYChart logarithmic(XYChart chart) {
    chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true).setYAxisMin(null);
    return chart;
  }
}
