package dev.tributary.cluster.internal.stream;

import dev.tributary.cluster.internal.protocol.KeyedTensor;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.StepStats;

/** The answer to a request, and its encoding on a stream. Its holder releases its tensors. */
sealed interface Answer {
  byte VALUE = 1;
  byte RAN = 2;
  byte ERROR = 3;

  int LONGEST_MESSAGE = 1 << 20;

  long call();

  /**
   * @param slots shared memory for large tensors, if there is any
   */
  OutgoingMessage encode(Optional<OutgoingSlots> slots);

  /** The value of a call that has not failed. */
  Object result();

  default Optional<TributaryException> failure() {
    return Optional.empty();
  }

  default void release() {}

  /** Of a request for a value: the value, or word that it is dead. */
  record Value(long call, ReceivedTensor result) implements Answer {
    @Override
    public OutgoingMessage encode(Optional<OutgoingSlots> slots) {
      return new OutgoingMessage(VALUE, call, slots).putValue(result.value());
    }

    @Override
    public void release() {
      result.value().ifPresent(Tensor::close);
    }
  }

  /** Of a step that has ended well. */
  record Ran(long call, RunGraphResponse result) implements Answer {
    @Override
    public OutgoingMessage encode(Optional<OutgoingSlots> slots) {
      return Requests.putKeyed(new OutgoingMessage(RAN, call, slots), result.received());
    }

    @Override
    public void release() {
      result.received().forEach(value -> value.tensor().close());
    }
  }

  /** Of any request. */
  record Failed(long call, TributaryException reason) implements Answer {
    @Override
    public OutgoingMessage encode(Optional<OutgoingSlots> slots) {
      String text = String.valueOf(reason.getMessage());
      return new OutgoingMessage(ERROR, call, slots)
          .putInt(reason.code().number())
          .put((byte) (reason.derived() ? 1 : 0))
          .putText(text.substring(0, Math.min(text.length(), LONGEST_MESSAGE / 3)));
    }

    @Override
    public Object result() {
      throw reason;
    }

    @Override
    public Optional<TributaryException> failure() {
      return Optional.of(reason);
    }
  }

  /** The next answer; {@link Failed} if its values do not fit. */
  static Answer read(StreamInput in) throws IOException {
    byte kind = in.begin();
    Answer answer = readWhole(kind, in);
    in.end();
    Optional<TributaryException> refusal = in.takeRefusal();
    if (refusal.isEmpty()) {
      return answer;
    }
    answer.release();
    return new Failed(answer.call(), refusal.get());
  }

  private static Answer readWhole(byte kind, StreamInput in) throws IOException {
    long call = in.readLong();
    return switch (kind) {
      case VALUE -> new Value(call, new ReceivedTensor(Values.read(in), false));
      case RAN -> {
        List<KeyedTensor> received = Requests.readKeyed(in);
        yield new Ran(
            call, new RunGraphResponse(received, StepStats.getDefaultInstance(), List.of()));
      }
      case ERROR -> new Failed(call, readError(in));
      default -> throw new IOException("malformed: an answer of kind " + kind);
    };
  }

  private static TributaryException readError(StreamInput in) throws IOException {
    int number = in.readInt();
    boolean derived = in.readByte() != 0;
    String message = in.readText(LONGEST_MESSAGE);
    ErrorCode[] codes = ErrorCode.values();
    ErrorCode code = number > 0 && number < codes.length ? codes[number] : ErrorCode.UNKNOWN;
    return derived
        ? TributaryException.derived(code, message, null)
        : new TributaryException(code, message);
  }
}
