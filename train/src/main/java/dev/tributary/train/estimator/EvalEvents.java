package dev.tributary.train.estimator;

import dev.tributary.internal.file.FileFailure;
import dev.tributary.record.EventReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.tensorflow.proto.Event;
import org.tensorflow.proto.Summary;

/** Reads the metrics of evaluations from event files. */
final class EvalEvents {
  private EvalEvents() {}

  /** Returns a metric by global step; empty if the folder has no events of it. */
  static SortedMap<Long, Double> of(Path folder, String metric) {
    SortedMap<Long, Double> found = new TreeMap<>();
    for (Path file : files(folder)) {
      try (EventReader events = EventReader.open(file)) {
        for (Optional<Event> event = events.next(); event.isPresent(); event = events.next()) {
          add(event.get(), metric, found);
        }
      }
    }
    return found;
  }

  private static void add(Event event, String metric, SortedMap<Long, Double> found) {
    for (Summary.Value value : event.getSummary().getValueList()) {
      if (value.getTag().equals(metric)
          && value.getValueCase() == Summary.Value.ValueCase.SIMPLE_VALUE) {
        found.put(event.getStep(), (double) value.getSimpleValue());
      }
    }
  }

  private static List<Path> files(Path folder) {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(path -> path.getFileName().toString().contains(".tfevents."))
          .sorted()
          .toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      throw FileFailure.of("list event files", folder, e);
    }
  }
}
