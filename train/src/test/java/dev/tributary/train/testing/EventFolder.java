package dev.tributary.train.testing;

import dev.tributary.record.EventReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.tensorflow.proto.Event;
import org.tensorflow.proto.Summary;

/** The event files of a folder. */
public final class EventFolder {
  private EventFolder() {}

  /** All events of all files. */
  public static List<Event> read(Path folder) {
    List<Event> events = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(f -> f.toString().contains("tfevents")).sorted().toList()) {
        try (EventReader reader = EventReader.open(file)) {
          for (Optional<Event> e = reader.next(); e.isPresent(); e = reader.next()) {
            events.add(e.get());
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return events;
  }

  /** The steps at which there is a value with this tag. */
  public static List<Long> stepsOf(Path folder, String tag) {
    List<Long> steps = new ArrayList<>();
    for (Event event : read(folder)) {
      for (Summary.Value value : event.getSummary().getValueList()) {
        if (value.getTag().equals(tag)) {
          steps.add(event.getStep());
        }
      }
    }
    return steps;
  }

  /** What is said of the session, each with its step. */
  public static List<String> sessionLogs(Path folder) {
    return read(folder).stream()
        .filter(Event::hasSessionLog)
        .map(e -> e.getSessionLog().getStatus().name() + " " + e.getStep())
        .toList();
  }
}
