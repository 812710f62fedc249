package dev.tributary.internal.scalars;

import dev.tributary.record.EventReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.Event;
import org.tensorflow.proto.SessionLog;
import org.tensorflow.proto.Summary;
import org.tensorflow.proto.TensorProto;

/**
 * The scalars of one run by tag, each in the order they were written. A run that was started again
 * at an earlier step has forgotten what came after that step. Immutable.
 */
public final class RunScalars {
  private final SortedMap<String, List<ScalarPoint>> series;

  private RunScalars(SortedMap<String, List<ScalarPoint>> series) {
    this.series = series;
  }

  /** Reads the event files of a run, oldest first. */
  public static RunScalars read(List<Path> files) {
    SortedMap<String, List<ScalarPoint>> series = new TreeMap<>();
    for (Path file : files) {
      try (EventReader events = EventReader.open(file)) {
        for (Optional<Event> event = events.next(); event.isPresent(); event = events.next()) {
          add(event.get(), series);
        }
      }
    }
    series.replaceAll((tag, points) -> List.copyOf(points));
    series.values().removeIf(List::isEmpty);
    return new RunScalars(Collections.unmodifiableSortedMap(series));
  }

  public SortedMap<String, List<ScalarPoint>> byTag() {
    return series;
  }

  private static void add(Event event, SortedMap<String, List<ScalarPoint>> series) {
    if (event.getSessionLog().getStatus() == SessionLog.SessionStatus.START) {
      series.values().forEach(points -> points.removeIf(p -> p.step() >= event.getStep()));
    }
    for (Summary.Value value : event.getSummary().getValueList()) {
      scalar(value)
          .ifPresent(
              number ->
                  series
                      .computeIfAbsent(value.getTag(), tag -> new ArrayList<>())
                      .add(new ScalarPoint(event.getStep(), event.getWallTime(), number)));
    }
  }

  /** The number in a value, in the old form or in the new one, a tensor of one float. */
  private static Optional<Double> scalar(Summary.Value value) {
    if (value.hasSimpleValue()) {
      return Optional.of((double) value.getSimpleValue());
    }
    TensorProto tensor = value.getTensor();
    boolean isScalar =
        value.hasTensor()
            && tensor.getDtype() == DataType.DT_FLOAT
            && tensor.getTensorShape().getDimCount() == 0;
    if (!isScalar) {
      return Optional.empty();
    }
    if (tensor.getFloatValCount() == 1) {
      return Optional.of((double) tensor.getFloatVal(0));
    }
    ByteBuffer content =
        tensor.getTensorContent().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    return content.remaining() == Float.BYTES
        ? Optional.of((double) content.getFloat())
        : Optional.empty();
  }
}
