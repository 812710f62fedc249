package dev.tributary.cluster.internal.stream;

import dev.tributary.cluster.internal.protocol.KeyedTensor;
import dev.tributary.cluster.internal.protocol.PushTensorRequest;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.ExecutorOptions;
import dev.tributary.cluster.internal.protocol.RunGraphRequest.Piece;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The requests on a stream, and their encoding. */
sealed interface Requests {
  byte RECEIVE = 1;
  byte CANCEL = 2;
  byte PUSH = 3;
  byte RUN = 4;

  int LONGEST_TEXT = 1 << 20;
  int MOST_VALUES = 1 << 20;

  long call();

  /**
   * @param slots shared memory for large tensors, if there is any
   */
  OutgoingMessage encode(Optional<OutgoingSlots> slots);

  /** Gives back tensors that were read with it. */
  default void release() {}

  record Receive(long call, RecvTensorRequest request) implements Requests {
    @Override
    public OutgoingMessage encode(Optional<OutgoingSlots> slots) {
      return new OutgoingMessage(RECEIVE, call, slots)
          .putLong(request.stepId())
          .putLong(request.requestId())
          .putText(request.key().toString());
    }
  }

  record Cancel(long call) implements Requests {
    @Override
    public OutgoingMessage encode(Optional<OutgoingSlots> slots) {
      return new OutgoingMessage(CANCEL, call, slots);
    }
  }

  /** Gets no answer: that it has been written is enough. */
  record Push(long call, PushTensorRequest request) implements Requests {
    @Override
    public OutgoingMessage encode(Optional<OutgoingSlots> slots) {
      return new OutgoingMessage(PUSH, call, slots)
          .putText(request.sessionHandle())
          .putLong(request.stepId())
          .putText(request.key().toString())
          .putValue(request.value());
    }

    @Override
    public void release() {
      request.value().ifPresent(Tensor::close);
    }
  }

  /** A whole step of which nothing is recorded; others go by gRPC. */
  record Run(long call, RunGraphRequest request) implements Requests {
    static boolean fits(RunGraphRequest request) {
      return request.partialRun() == Piece.NONE && request.executorOptions().recordNothing();
    }

    @Override
    public OutgoingMessage encode(Optional<OutgoingSlots> slots) {
      OutgoingMessage frame =
          new OutgoingMessage(RUN, call, slots)
              .putText(request.sessionHandle())
              .put((byte) (request.createWorkerSessionCalled() ? 1 : 0))
              .putText(request.graphHandle())
              .putLong(request.stepId())
              .put((byte) (request.pushesTensors() ? 1 : 0))
              .putLong(request.requestId())
              .putInt(request.recvKeys().size());
      request.recvKeys().forEach(key -> frame.putText(key.toString()));
      return putKeyed(frame, request.send());
    }

    @Override
    public void release() {
      request.send().forEach(value -> value.tensor().close());
    }
  }

  /** One that was read, but for whose values there was no memory. */
  record Refused(Requests asked, TributaryException reason) implements Requests {
    @Override
    public long call() {
      return asked.call();
    }

    @Override
    public OutgoingMessage encode(Optional<OutgoingSlots> slots) {
      throw reason; // Nobody sends it.
    }
  }

  /** The next request; {@link Refused} if its values do not fit. */
  static Requests read(StreamInput in) throws IOException {
    byte kind = in.begin();
    Requests request = readWhole(kind, in);
    in.end();
    Optional<TributaryException> refusal = in.takeRefusal();
    if (refusal.isEmpty()) {
      return request;
    }
    request.release();
    return new Refused(request, refusal.get());
  }

  private static Requests readWhole(byte kind, StreamInput in) throws IOException {
    long call = in.readLong();
    return switch (kind) {
      case RECEIVE -> {
        long step = in.readLong();
        long id = in.readLong();
        yield new Receive(call, new RecvTensorRequest(step, readKey(in), id));
      }
      case CANCEL -> new Cancel(call);
      case PUSH -> {
        String session = in.readText(LONGEST_TEXT);
        long step = in.readLong();
        RendezvousKey key = readKey(in);
        yield new Push(call, new PushTensorRequest(session, step, key, Values.read(in)));
      }
      case RUN -> new Run(call, readRun(in));
      default -> throw new IOException("malformed: a request of kind " + kind);
    };
  }

  private static RunGraphRequest readRun(StreamInput in) throws IOException {
    String session = in.readText(LONGEST_TEXT);
    boolean sessionCreated = in.readByte() != 0;
    String graph = in.readText(LONGEST_TEXT);
    long step = in.readLong();
    boolean pushes = in.readByte() != 0;
    long id = in.readLong();
    int count = in.readCount(MOST_VALUES);
    List<RendezvousKey> recvKeys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      recvKeys.add(readKey(in));
    }
    return new RunGraphRequest(
        session,
        sessionCreated,
        graph,
        step,
        readKeyed(in),
        recvKeys,
        ExecutorOptions.none(),
        Piece.NONE,
        pushes,
        id);
  }

  private static RendezvousKey readKey(StreamInput in) throws IOException {
    return RendezvousKey.of(in.readText(LONGEST_TEXT));
  }

  static OutgoingMessage putKeyed(OutgoingMessage frame, List<KeyedTensor> values) {
    frame.putInt(values.size());
    for (KeyedTensor value : values) {
      frame.putText(value.key().toString()).putValue(Optional.of(value.tensor()));
    }
    return frame;
  }

  static List<KeyedTensor> readKeyed(StreamInput in) throws IOException {
    int count = in.readCount(MOST_VALUES);
    List<KeyedTensor> values = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        RendezvousKey key = readKey(in);
        Tensor tensor =
            Values.read(in).orElseThrow(() -> new IOException("malformed: no value for " + key));
        values.add(new KeyedTensor(key, tensor));
      }
      return values;
    } catch (IOException | RuntimeException e) {
      values.forEach(value -> value.tensor().close());
      throw e;
    }
  }
}
