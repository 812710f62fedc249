package dev.tributary.internal.executor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.kernel.CallFrame;
import dev.tributary.internal.kernel.Step;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.rendezvous.LocalRendezvous;
import dev.tributary.internal.rendezvous.Rendezvous;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Outputs that are made where sending them costs least. */
@NoLeaks
class SentOutputsTest {
  private final Lender rendezvous = new Lender();
  private final Cancellation cancellation = new Cancellation();
  private final Part a = new Part(0);
  private final Part b = new Part(1);

  /** Lends tensors for what is sent, and notes what it gets. */
  private static final class Lender implements Rendezvous {
    final LocalRendezvous table = new LocalRendezvous();
    final List<String> askedFor = new ArrayList<>();
    final List<Tensor> lent = new ArrayList<>();
    final List<Long> sent = new ArrayList<>();
    boolean wasExclusive = true;
    boolean wasLent = true;

    @Override
    public Optional<Tensor> allocateFor(String recvDevice, DataType type, Shape shape) {
      askedFor.add(recvDevice);
      Tensor tensor = SharedTensors.allocate(Allocator.shared(), type, shape);
      lent.add(tensor);
      return Optional.of(tensor);
    }

    @Override
    public void send(RendezvousKey key, Optional<Tensor> value) {
      try (Tensor tensor = value.orElseThrow()) {
        sent.add(tensor.longValue());
        wasExclusive &= tensor.isExclusive();
        wasLent &= lent.stream().anyMatch(tensor::sharesStorageWith);
      }
    }

    @Override
    public void receive(RendezvousKey key, Receiver receiver) {
      table.receive(key, receiver);
    }

    @Override
    public void abort(RuntimeException reason) {
      table.abort(reason);
    }
  }

  @AfterEach
  void close() {
    rendezvous.table.close();
    a.close();
    b.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void output_thatIsOnlySent_isMadeWhereTheRendezvousSays(boolean inFixedOrder) {
    Output input = inFixedOrder ? a.tf.constant(20) : a.recv("x", DataType.INT64, b);
    rendezvous.table.send(Part.key("x", b, a), Optional.of(Tensor.scalar(20L)));
    a.send("y", a.tf.add(input, a.tf.constant(1)), b);
    ExecutableGraph graph = a.compile();

    assertThat(graph.fixedOrder.isPresent()).isEqualTo(inFixedOrder);
    assertThat(run(graph)).isEmpty();
    assertThat(rendezvous.askedFor).containsExactly(b.device.name());
    assertThat(rendezvous.sent).containsExactly(21L);
    assertThat(rendezvous.wasLent).isTrue();
    assertThat(rendezvous.wasExclusive).isTrue();
  }

  @Test
  void output_thatIsAlsoUsedHere_isMadeHere() {
    Output sum = a.tf.add(a.tf.constant(20), a.tf.constant(1));
    a.send("y", sum, b);
    a.send("z", a.tf.add(sum, a.tf.constant(1)), b);

    assertThat(run(a.compile())).isEmpty();
    assertThat(rendezvous.askedFor).hasSize(1);
    assertThat(rendezvous.sent).containsExactlyInAnyOrder(21L, 22L);
  }

  @Test
  void step_thatFailsBeforeItSends_givesTheTensorBack() {
    Output sum = a.tf.add(a.tf.constant(20), a.tf.constant(1));
    Operation failing = a.tf.op("TestFail", a.tf.constant(1)).operation();
    a.tf.graph().addControlEdge(sum.operation(), failing);
    a.tf.graph().addControlEdge(failing, a.send("y", sum, b));

    assertThat(run(a.compile()).orElseThrow()).hasMessageContaining("broken on purpose");
    assertThat(rendezvous.lent).hasSize(1).allMatch(Tensor::isClosed);
    assertThat(rendezvous.sent).isEmpty();
  }

  private Optional<RuntimeException> run(ExecutableGraph graph) {
    Step step = new Step(1, cancellation, CallFrame.empty(), rendezvous);
    new Executor(Runnable::run, true).prepare(graph, step, Optional.empty(), end -> {}).start();
    return cancellation.reason();
  }
}
