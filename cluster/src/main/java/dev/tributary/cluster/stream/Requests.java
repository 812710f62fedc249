package dev.tributary.cluster.stream;

import dev.tributary.cluster.protocol.NamedTensor;
import dev.tributary.cluster.protocol.PushTensorRequest;
import dev.tributary.cluster.protocol.RecvTensorRequest;
import dev.tributary.cluster.protocol.RunGraphRequest;
import dev.tributary.cluster.protocol.RunGraphRequest.ExecutorOptions;
import dev.tributary.cluster.protocol.RunGraphRequest.PartialRun;
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
  Frame encode(Optional<OutgoingSlots> slots);

  /** Gives back tensors that were read with it. */
  default void release() {}

  record Receive(long call, RecvTensorRequest request) implements Requests {
    @Override
    public Frame encode(Optional<OutgoingSlots> slots) {
      return new Frame(RECEIVE, call, slots)
          .putLong(request.stepId())
          .putLong(request.requestId())
          .putText(request.rendezvousKey());
    }
  }

  record Cancel(long call) implements Requests {
    @Override
    public Frame encode(Optional<OutgoingSlots> slots) {
      return new Frame(CANCEL, call, slots);
    }
  }

  /** Gets no answer: that it has been written is enough. */
  record Push(long call, PushTensorRequest request) implements Requests {
    @Override
    public Frame encode(Optional<OutgoingSlots> slots) {
      return new Frame(PUSH, call, slots)
          .putLong(request.stepId())
          .putText(request.rendezvousKey())
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
      return request.partialRun() == PartialRun.NONE && request.executorOptions().recordNothing();
    }

    @Override
    public Frame encode(Optional<OutgoingSlots> slots) {
      Frame frame =
          new Frame(RUN, call, slots)
              .putText(request.sessionHandle())
              .put((byte) (request.createWorkerSessionCalled() ? 1 : 0))
              .putText(request.graphHandle())
              .putLong(request.stepId())
              .put((byte) (request.pushesTensors() ? 1 : 0))
              .putLong(request.requestId())
              .putInt(request.recvKeys().size());
      request.recvKeys().forEach(frame::putText);
      return putNamed(frame, request.send());
    }

    @Override
    public void release() {
      request.send().forEach(value -> value.tensor().close());
    }
  }

  static Requests read(StreamInput in) throws IOException {
    byte kind = in.readByte();
    long call = in.readLong();
    return switch (kind) {
      case RECEIVE -> {
        long step = in.readLong();
        long id = in.readLong();
        yield new Receive(call, new RecvTensorRequest(step, in.readText(LONGEST_TEXT), id));
      }
      case CANCEL -> new Cancel(call);
      case PUSH -> {
        long step = in.readLong();
        String key = in.readText(LONGEST_TEXT);
        yield new Push(call, new PushTensorRequest(step, key, Values.read(in)));
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
    List<String> recvKeys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      recvKeys.add(in.readText(LONGEST_TEXT));
    }
    return new RunGraphRequest(
        session,
        sessionCreated,
        graph,
        step,
        readNamed(in),
        recvKeys,
        ExecutorOptions.none(),
        PartialRun.NONE,
        pushes,
        id);
  }

  static Frame putNamed(Frame frame, List<NamedTensor> values) {
    frame.putInt(values.size());
    for (NamedTensor value : values) {
      frame.putText(value.name()).putValue(Optional.of(value.tensor()));
    }
    return frame;
  }

  static List<NamedTensor> readNamed(StreamInput in) throws IOException {
    int count = in.readCount(MOST_VALUES);
    List<NamedTensor> values = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        String name = in.readText(LONGEST_TEXT);
        Tensor tensor =
            Values.read(in).orElseThrow(() -> new IOException("malformed: no value for " + name));
        values.add(new NamedTensor(name, tensor));
      }
      return values;
    } catch (IOException | RuntimeException e) {
      values.forEach(value -> value.tensor().close());
      throw e;
    }
  }
}
