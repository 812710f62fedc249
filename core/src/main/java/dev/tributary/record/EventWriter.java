package dev.tributary.record;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.event.EventMessages;
import dev.tributary.internal.event.Histogram;
import dev.tributary.internal.event.HostName;
import dev.tributary.internal.event.SessionStatus;
import dev.tributary.internal.event.SummaryBuilder;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.image.Pixels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.util.Locale;
import org.tensorflow.proto.Event;
import org.tensorflow.proto.SessionLog;
import org.tensorflow.proto.Summary;
import org.tensorflow.proto.TaggedRunMetadata;

/**
 * Writes one new event file. Events are on the disk after {@link #flush}. Guarded by its own
 * monitor.
 */
public final class EventWriter implements AutoCloseable {
  private static final int MOST_FILES_OF_A_SECOND = 1000;

  private final Clock clock;
  private final Path path;

  @GuardedBy("this")
  private final RecordWriter records;

  private EventWriter(Clock clock, Path path) {
    this.clock = clock;
    this.path = path;
    this.records =
        RecordWriter.create(
            path, Compression.NONE, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    write(event().setFileVersion(EventMessages.VERSION));
    flush();
  }

  /** Creates a file in a folder, which is created if it does not exist. */
  public static EventWriter create(Path folder) {
    return create(folder, "", Clock.systemUTC(), HostName.local());
  }

  /**
   * Creates a file.
   *
   * @param suffix the end of the file's name
   * @param host this machine's name in the file's name
   */
  public static EventWriter create(Path folder, String suffix, Clock clock, String host) {
    String name =
        String.format(
            Locale.ROOT,
            "events.out.tfevents.%010d.%s%s",
            clock.instant().getEpochSecond(),
            host,
            suffix);
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw FileFailure.of("make the folder of event files", folder, e);
    }
    Path path = folder.resolve(name);
    for (int i = 1; Files.exists(path) && i < MOST_FILES_OF_A_SECOND; i++) {
      path = folder.resolve(name + "." + i);
    }
    return new EventWriter(clock, path);
  }

  public Path path() {
    return path;
  }

  /** Writes a number. */
  public void scalar(String tag, float value, long step) {
    summary(new SummaryBuilder().scalar(tag, value), step);
  }

  /** Writes the distribution of numbers, in TensorFlow's buckets. */
  public void histogram(String tag, double[] values, long step) {
    Histogram histogram = new Histogram();
    for (double value : values) {
      histogram.add(value);
    }
    summary(new SummaryBuilder().histogram(tag, histogram), step);
  }

  /**
   * Writes an image of 8 bits a sample.
   *
   * @param channels 1 for grey, 2 for grey and opacity, 3 for red, green and blue, 4 for these and
   *     opacity
   * @param samples row by row, those of a pixel together
   */
  public void image(String tag, int height, int width, int channels, byte[] samples, long step) {
    Pixels pixels = new Pixels(height, width, channels, samples);
    summary(new SummaryBuilder().image(tag, pixels), step);
  }

  /** Writes text, which TensorBoard takes for Markdown. */
  public void text(String tag, String markdown, long step) {
    summary(new SummaryBuilder().text(tag, markdown), step);
  }

  /** Writes the result of a summary op: the bytes of a Summary. */
  public void summary(byte[] summary, long step) {
    try {
      write(event().setStep(step).setSummary(Summary.parseFrom(summary)));
    } catch (InvalidProtocolBufferException e) {
      throw new TributaryException(
          ErrorCode.INVALID_ARGUMENT, "these bytes are not a Summary: " + e.getMessage(), e);
    }
  }

  /** Writes a graph: the bytes of a GraphDef. */
  public void graph(byte[] graphDef, long step) {
    write(event().setStep(step).setGraphDef(ByteString.copyFrom(graphDef)));
  }

  /** Writes a graph with its collections and signatures: the bytes of a MetaGraphDef. */
  public void metaGraph(byte[] metaGraphDef, long step) {
    write(event().setStep(step).setMetaGraphDef(ByteString.copyFrom(metaGraphDef)));
  }

  /** Writes the trace of a step: the bytes of a RunMetadata. */
  public void runMetadata(String tag, byte[] runMetadata, long step) {
    write(
        event()
            .setStep(step)
            .setTaggedRunMetadata(
                TaggedRunMetadata.newBuilder()
                    .setTag(tag)
                    .setRunMetadata(ByteString.copyFrom(runMetadata))));
  }

  /** Records that training started. */
  public void sessionStart(long step) {
    write(event().setStep(step).setSessionLog(log(SessionStatus.START)));
  }

  /** Records that training stopped. */
  public void sessionStop(long step) {
    write(event().setStep(step).setSessionLog(log(SessionStatus.STOP)));
  }

  /** Records that a checkpoint was written. */
  public void checkpoint(String prefix, long step) {
    write(
        event()
            .setStep(step)
            .setSessionLog(log(SessionStatus.CHECKPOINT).setCheckpointPath(prefix)));
  }

  public synchronized void flush() {
    records.flush();
  }

  @Override
  public synchronized void close() {
    records.close();
  }

  private void summary(SummaryBuilder summary, long step) {
    write(event().setStep(step).setSummary(summary.build()));
  }

  private static SessionLog.Builder log(SessionStatus status) {
    return SessionLog.newBuilder().setStatusValue(status.ordinal());
  }

  private Event.Builder event() {
    Instant now = clock.instant();
    return Event.newBuilder().setWallTime(EventMessages.seconds(now));
  }

  private void write(Event.Builder event) {
    byte[] record = event.build().toByteArray();
    synchronized (this) {
      records.write(record);
    }
  }
}
