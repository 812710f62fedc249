package dev.tributary.internal.executor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.kernel.CallFrame;
import dev.tributary.internal.kernel.Step;
import dev.tributary.internal.rendezvous.LocalRendezvous;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Inbox;
import dev.tributary.testing.NoLeaks;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that go from one part of a step to another. */
@NoLeaks
@Timeout(60)
class TransferTest {
  private static final DataType INT64 = DataType.INT64;

  private final ExecutorService pool = Executors.newFixedThreadPool(2);
  private final Executor executor = new Executor(pool, true);
  private final LocalRendezvous rendezvous = new LocalRendezvous();
  private final Cancellation cancellation = new Cancellation();
  private final Inbox client = new Inbox();
  private final Part a = new Part(0);
  private final Part b = new Part(1);

  @AfterEach
  void close() throws InterruptedException {
    pool.shutdown();
    assertThat(pool.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    rendezvous.close();
    a.close();
    b.close();
  }

  // ---- values ----

  @Test
  void value_sentToAnotherPart_arrivesThere() throws Exception {
    a.send("x", a.tf.add(a.tf.constant(20), a.tf.constant(1)), b);
    Output x = b.recv("x", INT64, a);
    b.send("y", b.tf.add(x, x), a);

    assertThat(run(b, a)).isEmpty();
    assertThat(received("y", b, a)).isEqualTo("42");
  }

  @Test
  void part_thatOnlySends_runsInAFixedOrder() throws Exception {
    a.send("x", a.tf.constant(7), b);
    ExecutableGraph graph = a.compile();

    assertThat(graph.fixedOrder).isPresent();
    assertThat(start(graph).get(20, TimeUnit.SECONDS)).isEmpty();
    assertThat(received("x", a, b)).isEqualTo("7");
  }

  @Test
  void parts_ofAStep_areCountedOnTheirDevices() throws Exception {
    a.send("x", a.tf.constant(1), b);
    b.send("y", b.recv("x", INT64, a), a);

    assertThat(run(b, a)).isEmpty();
    assertThat(a.device.activity().stepsBegun()).isOne();
    assertThat(b.device.activity().stepsBegun()).isOne();
    assertThat(received("y", b, a)).isEqualTo("1");
  }

  @Test
  void value_thatLiesReady_isReceivedWithoutAnotherThread() throws Exception {
    rendezvous.send(Part.key("x", a, b), Optional.of(Tensor.scalar(5L)));
    b.send("y", b.recv("x", INT64, a), a);
    Executor withoutPool =
        new Executor(
            task -> {
              throw new AssertionError("a task for the pool");
            },
            true);
    CompletableFuture<Optional<RuntimeException>> done = new CompletableFuture<>();
    Step step = new Step(1, cancellation, CallFrame.empty(), rendezvous);
    withoutPool.prepare(b.compile(), step, Optional.empty(), done::complete).start();

    assertThat(done).isCompletedWithValue(Optional.empty());
    assertThat(received("y", b, a)).isEqualTo("5");
  }

  @Test
  void variable_sentToAnotherPart_arrivesAsItsValue() throws Exception {
    Output variable = a.tf.op("TestVariable");
    Operation assigned = a.tf.operation("TestAssign", variable, a.tf.constant(9));
    a.send("v", assigned.output(0), b);

    assertThat(run(a)).isEmpty();
    assertThat(received("v", a, b)).isEqualTo("9");
    a.device.resources().close();
  }

  @Test
  void value_ofAnotherType_failsTheStep() throws Exception {
    a.send("x", a.tf.less(a.tf.constant(1), a.tf.constant(2)), b);
    b.send("y", b.recv("x", INT64, a), a);

    assertThat(run(a, b).orElseThrow())
        .hasMessageContainingAll("_Recv", "got a bool value", ";x;0:0", "wanted int64")
        .extracting(e -> ((TributaryException) e).code())
        .isEqualTo(ErrorCode.INTERNAL);
  }

  // ---- dead values ----

  @ParameterizedTest
  @ValueSource(longs = {4, 14})
  void branch_notTaken_arrivesDead(long value) throws Exception {
    Operation branch =
        a.tf.switchOn(a.tf.constant(value), a.tf.less(a.tf.constant(value), a.tf.constant(10)));
    a.send("above", branch.output(0), b);
    a.send("below", branch.output(1), b);
    Output above = b.recv("above", INT64, a);
    Output below = b.recv("below", INT64, a);
    b.send("merged", b.tf.merge(b.tf.sub(above, b.tf.constant(10)), below).output(0), a);

    assertThat(run(a, b)).isEmpty();
    assertThat(received("merged", b, a)).isEqualTo("4");
  }

  @Test
  void send_behindADeadControlInput_sendsADeadValue() throws Exception {
    Operation branch =
        a.tf.switchOn(a.tf.constant(1), a.tf.less(a.tf.constant(1), a.tf.constant(2)));
    Operation dead = a.tf.add(branch.output(0), a.tf.constant(1)).operation();
    a.tf.graph().addControlEdge(dead, a.send("x", a.tf.constant(3), b));

    assertThat(run(a)).isEmpty();
    assertThat(received("x", a, b)).isEqualTo("dead");
  }

  @Test
  void recv_behindADeadControlInput_takesItsValueAndIsDead() throws Exception {
    a.send("x", a.tf.constant(3), b);
    Operation branch =
        b.tf.switchOn(b.tf.constant(1), b.tf.less(b.tf.constant(1), b.tf.constant(2)));
    Operation dead = b.tf.add(branch.output(0), b.tf.constant(1)).operation();
    b.send("y", b.recv("x", INT64, a, dead), a);

    assertThat(run(a, b)).isEmpty();
    assertThat(received("y", b, a)).isEqualTo("dead");
    assertThat(rendezvous.isEmpty()).isTrue();
  }

  @Test
  void node_behindADeadRecv_isNotRunByItsControlEdge() throws Exception {
    rendezvous.send(Part.key("x", a, b), Optional.empty());
    Operation recv = b.recv("x", INT64, a).operation();
    Output sum = b.tf.add(b.tf.constant(1), b.tf.constant(2));
    b.tf.graph().addControlEdge(recv, sum.operation());
    b.send("y", sum, a);

    assertThat(run(b)).isEmpty();
    assertThat(received("y", b, a)).isEqualTo("dead");
    assertThat(b.tf.additions).hasValue(0);
  }

  // ---- loops ----

  /** A counts, B doubles: the value crosses twice in each iteration, and the predicate once. */
  @RepeatedTest(50)
  void loop_whoseBodyIsOnAnotherDevice_givesWhatItShould() throws Exception {
    Output entered = a.tf.enter(a.tf.constant(1), "loop", false, 10);
    Output limit = a.tf.enter(a.tf.constant(1000), "loop", true, 10);
    Operation merge = a.tf.merge(entered, entered);
    Output goesOn = a.tf.op("TestLoopCond", a.tf.less(merge.output(0), limit));
    Operation branch = a.tf.switchOn(merge.output(0), goesOn);
    a.send("goes_on", goesOn, b);
    a.send("value", branch.output(1), b);
    Output doubled = a.recv("doubled", INT64, b, merge);
    a.tf.graph().updateInput(merge, 1, a.tf.op("TestNextIteration", doubled));
    a.send("result", a.tf.op("TestExit", branch.output(0)), b);

    Operation pulse = controlLoop(b, "loop", b.tf.constant(0), a);
    Output value = b.recv("value", INT64, a, pulse);
    b.send("doubled", b.tf.add(value, value), a);

    assertThat(run(a, b)).isEmpty();
    assertThat(received("result", a, b)).isEqualTo("1024");
    assertThat(rendezvous.isEmpty()).isTrue();
  }

  @Test
  void loop_onABranchNotTaken_isDeadOnAllDevices() throws Exception {
    Operation outer =
        a.tf.switchOn(a.tf.constant(1), a.tf.less(a.tf.constant(2), a.tf.constant(1)));
    a.send("start", outer.output(1), b);
    Output entered = a.tf.enter(outer.output(1), "loop", false, 10);
    Output limit = a.tf.enter(a.tf.constant(1000), "loop", true, 10);
    Operation merge = a.tf.merge(entered, entered);
    Output goesOn = a.tf.op("TestLoopCond", a.tf.less(merge.output(0), limit));
    Operation branch = a.tf.switchOn(merge.output(0), goesOn);
    a.send("goes_on", goesOn, b);
    a.send("value", branch.output(1), b);
    a.tf.graph().updateInput(merge, 1, a.tf.op("TestNextIteration", branch.output(1)));
    a.send("result", a.tf.op("TestExit", branch.output(0)), b);

    Operation pulse = controlLoop(b, "loop", b.recv("start", INT64, a), a);
    Output value = b.recv("value", INT64, a, pulse);
    b.tf.add(value, value);

    assertThat(run(a, b)).isEmpty();
    assertThat(received("result", a, b)).isEqualTo("dead");
    assertThat(rendezvous.isEmpty()).isTrue();
  }

  @Test
  void fetch_insideALoop_isRefused() throws Exception {
    Output entered = a.tf.enter(a.tf.constant(1), "loop", true, 1);
    a.tf
        .graph()
        .scope()
        .withName("fetch")
        .operation("_Send")
        .input(entered)
        .attr("tensor_name", "x")
        .attr("send_device", a.device.name())
        .attr("send_device_incarnation", 1)
        .attr("recv_device", a.device.name())
        .attr("client_terminated", true)
        .build();

    assertThat(run(a).orElseThrow())
        .hasMessageContaining("inside a loop")
        .extracting(e -> ((TributaryException) e).code())
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }

  // ---- ends before their time ----

  @Test
  void recv_thatWaits_isNamedAndHeedsCancellation() throws Exception {
    b.send("y", b.recv("x", INT64, a), a);
    CompletableFuture<Optional<RuntimeException>> done = new CompletableFuture<>();
    StepRun run = prepare(b.compile(), done);
    run.start();

    assertThat(run.outstanding(5)).containsExactly("_Recv 'recv_x'");
    cancellation.cancel(new TributaryException(ErrorCode.CANCELLED, "no longer wanted"));
    assertThat(done.get(20, TimeUnit.SECONDS).orElseThrow()).hasMessage("no longer wanted");
    // The request still lies in the table; it must take the value and touch nothing else.
    rendezvous.send(Part.key("x", a, b), Optional.of(Tensor.scalar(1L)));
    assertThat(rendezvous.isEmpty()).isTrue();
  }

  @Test
  void rendezvous_thatIsAborted_failsWhoeverWaits() throws Exception {
    b.send("y", b.recv("x", INT64, a), a);
    CompletableFuture<Optional<RuntimeException>> done = start(b.compile());
    rendezvous.abort(new TributaryException(ErrorCode.ABORTED, "the sender is gone"));

    assertThat(done.get(20, TimeUnit.SECONDS).orElseThrow())
        .hasMessageContainingAll("_Recv 'recv_x'", "the sender is gone")
        .extracting(e -> ((TributaryException) e).code())
        .isEqualTo(ErrorCode.ABORTED);
  }

  @Test
  void failure_ofOnePart_endsTheOther() throws Exception {
    a.send("x", a.tf.op("TestFail", a.tf.constant(1)), b);
    b.send("y", b.recv("x", INT64, a), a);

    assertThat(run(b, a).orElseThrow()).hasMessageContaining("broken on purpose");
  }

  @RepeatedTest(200)
  void cancellation_whileAValueArrives_losesNothing() throws Exception {
    b.send("y", b.recv("x", INT64, a), a);
    CompletableFuture<Optional<RuntimeException>> done = start(b.compile());
    pool.execute(() -> rendezvous.send(Part.key("x", a, b), Optional.of(Tensor.scalar(1L))));
    cancellation.cancel(new TributaryException(ErrorCode.CANCELLED, "no longer wanted"));

    done.get(20, TimeUnit.SECONDS).ifPresent(e -> assertThat(e).hasMessage("no longer wanted"));
  }

  // ---- running ----

  /** What the partitioner adds where values enter a loop on a device that has no part in it. */
  private static Operation controlLoop(Part part, String frame, Output start, Part from) {
    Output entered = part.tf.enter(start, frame, false, 10);
    Operation merge = part.tf.merge(entered, entered);
    Output goesOn = part.recv("goes_on", DataType.BOOL, from, merge);
    Operation branch = part.tf.switchOn(merge.output(0), goesOn);
    Output next = part.tf.op("TestNextIteration", branch.output(1));
    part.tf.graph().updateInput(merge, 1, next);
    return merge;
  }

  /** Runs all parts to their ends; the first failure. */
  private Optional<RuntimeException> run(Part... parts) throws Exception {
    CompletableFuture<?>[] done = new CompletableFuture<?>[parts.length];
    for (int i = 0; i < parts.length; i++) {
      done[i] = start(parts[i].compile());
    }
    CompletableFuture.allOf(done).get(20, TimeUnit.SECONDS);
    return cancellation.reason();
  }

  private CompletableFuture<Optional<RuntimeException>> start(ExecutableGraph graph) {
    CompletableFuture<Optional<RuntimeException>> done = new CompletableFuture<>();
    prepare(graph, done).start();
    return done;
  }

  private StepRun prepare(
      ExecutableGraph graph, CompletableFuture<Optional<RuntimeException>> done) {
    Step step = new Step(1, cancellation, CallFrame.empty(), rendezvous);
    return executor.prepare(graph, step, Optional.empty(), done::complete);
  }

  private String received(String name, Part from, Part to) throws InterruptedException {
    rendezvous.receive(Part.key(name, from, to), client);
    return client.next();
  }
}
