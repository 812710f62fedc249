package dev.tributary.record;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.nio.file.Path;
import java.util.Optional;
import org.tensorflow.proto.Event;

/**
 * Reads an event file, which may still be written: an event that is not whole at its end counts as
 * not there yet. Damage elsewhere is a DATA_LOSS that names the file. Confined to one thread.
 */
public final class EventReader implements AutoCloseable {
  private final Path path;
  private final RecordReader records;

  private EventReader(Path path) {
    this.path = path;
    this.records = RecordReader.open(path);
  }

  public static EventReader open(Path path) {
    return new EventReader(path);
  }

  /** The next event, or nothing at the end. */
  public Optional<Event> next() {
    long offset = records.offset();
    Optional<byte[]> record = records.nextIfWhole();
    try {
      return record.isEmpty() ? Optional.empty() : Optional.of(Event.parseFrom(record.get()));
    } catch (InvalidProtocolBufferException e) {
      throw new TributaryException(
          ErrorCode.DATA_LOSS,
          "event file "
              + path
              + ": the record at offset "
              + offset
              + " is no event: "
              + e.getMessage(),
          e);
    }
  }

  @Override
  public void close() {
    records.close();
  }
}
