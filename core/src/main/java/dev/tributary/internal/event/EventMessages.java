package dev.tributary.internal.event;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.time.Instant;
import org.tensorflow.proto.Event;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.Summary;

/** The records of event files, as bytes for writers that do not know the messages. */
public final class EventMessages {
  /** The version in the first event of each file. */
  public static final String VERSION = "brain.Event:2";

  private EventMessages() {}

  /** The first event of a file. */
  public static byte[] version(Instant now) {
    return event(now).setFileVersion(VERSION).build().toByteArray();
  }

  public static byte[] summary(Instant now, long step, Summary summary) {
    return event(now).setStep(step).setSummary(summary).build().toByteArray();
  }

  /** A summary that consists of several, each the bytes of a Summary. */
  public static byte[] summaries(Instant now, long step, Object[] parts) {
    Summary.Builder summary = Summary.newBuilder();
    for (Object part : parts) {
      summary.mergeFrom(parsed(Summary.parser(), (byte[]) part, "Summary"));
    }
    return summary(now, step, summary.build());
  }

  /**
   * A graph.
   *
   * @param graphDef the bytes of a GraphDef
   */
  public static byte[] graph(Instant now, long step, byte[] graphDef) {
    GraphDef graph = parsed(GraphDef.parser(), graphDef, "GraphDef");
    ByteString bytes = graph.toByteString();
    return event(now).setStep(step).setGraphDef(bytes).build().toByteArray();
  }

  /** An event that another program wrote; fails with DATA_LOSS if the bytes are none. */
  public static byte[] imported(byte[] event) {
    return parsed(Event.parser(), event, "Event").toByteArray();
  }

  /** The time as events have it: seconds since 1970. */
  public static double seconds(Instant now) {
    return now.getEpochSecond() + now.getNano() * 1e-9;
  }

  private static Event.Builder event(Instant now) {
    return Event.newBuilder().setWallTime(seconds(now));
  }

  private static <M extends Message> M parsed(Parser<M> parser, byte[] bytes, String message) {
    try {
      return parser.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new TributaryException(
          ErrorCode.DATA_LOSS, "Bad tf." + message + " binary proto: " + e.getMessage(), e);
    }
  }
}
