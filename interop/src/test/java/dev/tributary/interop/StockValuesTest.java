package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.ops.Ops;
import dev.tributary.optable.CallGraph;
import dev.tributary.optable.CallSession;
import dev.tributary.optable.Draw;
import dev.tributary.optable.OpCall;
import dev.tributary.optable.OpRow;
import dev.tributary.optable.SampleOp;
import dev.tributary.optable.TensorCompare;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The outputs of every row of the op table on drawn calls are stock TensorFlow's. */
@RequiresStockTensorFlow
class StockValuesTest {
  private static final OpRegistry REGISTRY = Ops.registry();
  private static final StockKernels KERNELS = StockKernels.inUse();
  private static final int CALLS = 20;
  private static final int CALLS_OF_A_TYPE = 3;
  private static final int UNUSUAL_CALLS = 2;

  /** What running a call came to: values for the caller to close, or the code of its refusal. */
  private record Outcome(List<Tensor> values, Optional<ErrorCode> refusal, String message)
      implements AutoCloseable {
    static Outcome of(List<Tensor> values) {
      return new Outcome(values, Optional.empty(), values.toString());
    }

    @Override
    public void close() {
      values.forEach(Tensor::close);
    }
  }

  @TestFactory
  Stream<DynamicTest> values_ofEachRow_equalStock() {
    return TableDraws.rows().stream()
        .map(row -> DynamicTest.dynamicTest(row.op(), () -> check(REGISTRY, row)));
  }

  @Test
  void values_ofRightSample_equalStock() {
    assertThatCode(() -> check(SampleOp.right().registry(), SampleOp.row()))
        .doesNotThrowAnyException();
  }

  @Test
  void values_ofWrongKernel_differFromStock() {
    SampleOp wrong = SampleOp.right().withKernel(node -> c -> c.setOutput(0, c.input(0).retain()));

    assertThatThrownBy(() -> check(wrong.registry(), SampleOp.row()))
        .hasMessageContaining("FLOAT, ORDINARY, seed 1");
  }

  @Test
  void values_ofRefusedCall_differFromStock() {
    SampleOp wrong =
        SampleOp.right()
            .withKernel(
                node -> {
                  throw TributaryException.unimplemented("no kernel");
                });

    assertThatThrownBy(() -> check(wrong.registry(), SampleOp.row()))
        .hasMessageContaining("we give UNIMPLEMENTED");
  }

  private static void check(OpRegistry registry, OpRow row) {
    row.stockExcuse().or(() -> KERNELS.excuse(row.op())).ifPresent(reason -> abort(reason));
    List<DataType> types = row.types();
    int ordinary = Math.max(CALLS_OF_A_TYPE, (CALLS + types.size() - 1) / types.size());
    try (CallSession session = new CallSession(registry)) {
      for (Draw.Size size : Draw.Size.values()) {
        int seeds = size == Draw.Size.ORDINARY ? ordinary : UNUSUAL_CALLS;
        TableDraws.forEach(row, types, size, seeds, (call, seed) -> compare(session, row, call));
      }
    }
  }

  private static void compare(CallSession session, OpRow row, OpCall call) {
    try (Outcome ours = ours(session, row, call);
        Outcome stock = stock(row, call)) {
      Optional<ErrorCode> odd = KERNELS.refusal(row.op(), call);
      if (odd.isPresent()) {
        assertThat(stock.refusal()).isEqualTo(odd);
        return;
      }
      if (!ours.refusal().equals(stock.refusal())) {
        throw new AssertionError("we give " + ours.message() + ", stock gives " + stock.message());
      }
      List<Tensor> comparable = new ArrayList<>(ours.values());
      for (int i = 0; i < comparable.size(); i++) {
        Tensor output = comparable.get(i);
        Optional<Shape> oddShape = KERNELS.oddShape(row.op(), call, i, output);
        if (oddShape.isPresent()) {
          assertThat(stock.values().get(i).shape())
              .as("stock's output %d", i)
              .isEqualTo(oddShape.get());
          comparable.set(i, stock.values().get(i));
        }
      }
      TensorCompare.requireEqual("outputs", comparable, stock.values(), row::tolerance);
    }
  }

  private static Outcome ours(CallSession session, OpRow row, OpCall call) {
    try {
      return Outcome.of(session.run(CallGraph.fed(session.tf(), row.op(), call)));
    } catch (TributaryException e) {
      return new Outcome(List.of(), Optional.of(e.code()), e.toString());
    }
  }

  private static Outcome stock(OpRow row, OpCall call) {
    try {
      return Outcome.of(
          StockTensorFlow.runOp(
              row.op(), TableDraws.attributes(call), call.inputs(), TableDraws.shaped(call)));
    } catch (StockException e) {
      return new Outcome(List.of(), Optional.of(e.code()), e.toString());
    }
  }
}
