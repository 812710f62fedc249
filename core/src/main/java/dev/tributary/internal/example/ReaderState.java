package dev.tributary.internal.example;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import org.tensorflow.proto.ReaderBaseState;

/**
 * The position of a reader of input, as in TensorFlow's {@code ReaderBaseState}. Immutable.
 *
 * @param work the piece of work that was begun last
 */
public record ReaderState(long workStarted, long workFinished, long recordsProduced, String work) {
  /** That of a reader which has not begun. */
  public static final ReaderState INITIAL = new ReaderState(0, 0, 0, "");

  public ReaderState {
    if (workFinished < 0 || recordsProduced < 0 || workStarted < workFinished) {
      throw TributaryException.invalidArgument(
          "a reader's state cannot be %d pieces of work begun, %d finished, %d records read",
          workStarted, workFinished, recordsProduced);
    }
  }

  /**
   * @param reader whose state it is to be
   */
  public static ReaderState parse(String reader, byte[] state) {
    try {
      ReaderBaseState message = ReaderBaseState.parseFrom(state);
      return new ReaderState(
          message.getWorkStarted(),
          message.getWorkFinished(),
          message.getNumRecordsProduced(),
          message.getCurrentWork().toStringUtf8());
    } catch (InvalidProtocolBufferException e) {
      throw new TributaryException(
          ErrorCode.INVALID_ARGUMENT,
          "Could not parse state for " + reader + ": " + state.length + " bytes that are no state",
          e);
    }
  }

  public byte[] toBytes() {
    return ReaderBaseState.newBuilder()
        .setWorkStarted(workStarted)
        .setWorkFinished(workFinished)
        .setNumRecordsProduced(recordsProduced)
        .setCurrentWork(ByteString.copyFromUtf8(work))
        .build()
        .toByteArray();
  }
}
