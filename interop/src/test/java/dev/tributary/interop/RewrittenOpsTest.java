package dev.tributary.interop;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT16;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.INT8;

import dev.tributary.ops.Ops;
import dev.tributary.optable.CallGraph;
import dev.tributary.optable.CallSession;
import dev.tributary.optable.Draw;
import dev.tributary.optable.OpCall;
import dev.tributary.optable.TensorCompare;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Ops that only TensorFlow's own rewrites put into a graph give what they give in stock. Its
 * kernels of the fused ones need oneDNN; see {@code FusedLayersTest}.
 */
@RequiresStockTensorFlow
class RewrittenOpsTest {
  private static final double TOLERANCE = 1e-4;

  @Test
  void unaryOpsComposition_anyFunctions_equalsStock() {
    for (DataType type : List.of(FLOAT, DOUBLE)) {
      for (List<String> names :
          List.of(
              List.of("Square", "Sqrt", "Log1p"),
              List.of("Sigmoid", "Rsqrt", "Neg", "Relu6"),
              List.of("Abs", "Reciprocal", "Tanh", "Cosh"),
              List.of("Elu", "Selu", "Exp", "Rint"),
              List.of("Sin", "Asin", "Floor"))) {
        Draw draw = new Draw(7, type, Draw.Size.ORDINARY);
        compare(
            "_UnaryOpsComposition",
            OpCall.of(draw.tensor(type, Shape.of(3, 67), 0.1, 2)).attr("op_names", names),
            1);
      }
    }
  }

  @Test
  void hostCast_floatToInt_equalsStock() {
    Draw draw = new Draw(10, FLOAT, Draw.Size.ORDINARY);
    OpCall call =
        OpCall.of(draw.tensor(FLOAT, Shape.of(9), -9, 9)).attr("SrcT", FLOAT).attr("DstT", INT32);

    compare("_HostCast", call, 1);
  }

  @Test
  void tensorToHashBucket_signedIntegers_equalsStock() {
    // Stock has kernels of unsigned types, too, but they fail.
    for (DataType type : List.of(INT8, INT16, INT32, INT64)) {
      Draw draw = new Draw(11, type, Draw.Size.ORDINARY);
      OpCall call =
          OpCall.of(draw.tensor(type, Shape.of(3, 5), -120, 120)).attr("num_buckets", 1000);
      compare("_TensorToHashBucketFast", call, 1);
    }
  }

  @Test
  void parallelConcatUpdate_anyRow_equalsStock() {
    for (DataType type : List.of(FLOAT, DOUBLE, INT32, INT64)) {
      Draw draw = new Draw(12, type, Draw.Size.ORDINARY);
      OpCall call =
          OpCall.of(
                  draw.tensor(type, Shape.of(4, 3), -9, 9), draw.tensor(type, Shape.of(1, 3), 0, 9))
              .attr("loc", 2);
      compare("_ParallelConcatUpdate", call, 1);
    }
  }

  /** Compares the first outputs; what others hold is up to the device. */
  private static void compare(String op, OpCall call, int outputs) {
    try (call;
        CallSession session = new CallSession(Ops.registry());
        StepResult ours = session.run(CallGraph.fed(session.tf().withName("node"), op, call))) {
      List<Tensor> stock = StockTensorFlow.runOp(op, TableDraws.attributes(call), call.inputs());
      try {
        TensorCompare.requireEqual(
            op + " " + call,
            ours.subList(0, outputs),
            stock.subList(0, outputs),
            type -> TOLERANCE);
      } finally {
        stock.forEach(Tensor::close);
      }
    }
  }
}
