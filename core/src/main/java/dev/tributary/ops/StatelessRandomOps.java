package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.random.Distribution;
import dev.tributary.internal.kernel.random.Philox;
import dev.tributary.internal.kernel.random.RngState;
import dev.tributary.internal.kernel.random.Shuffle;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.function.Function;

/**
 * The second form of the stateless random ops, in which graphs of TensorFlow 2 have them: a key and
 * a counter take the place of the seed. Clients use those of {@link RandomOps}.
 */
final class StatelessRandomOps {
  private static final String INDEX = "{int32, int64}";
  private static final String INTEGERS = "{int32, int64, uint32, uint64}";

  private StatelessRandomOps() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        op("StatelessRandomGetKeyCounter")
            .input("seed: Tseed")
            .output("key: uint64")
            .output("counter: uint64")
            .attr("Tseed: " + INDEX + " = int64")
            .shape(StatelessRandomOps::keyShape)
            .kernel(node -> StatelessRandomOps::setKey)
            .notDifferentiable(),
        op("StatelessRandomGetAlg")
            .output("alg: int32")
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(node -> c -> IndexTensors.setScalar(c, 0, RngState.PHILOX))
            .notDifferentiable(),
        op("StatelessRandomGetKeyCounterAlg")
            .input("seed: Tseed")
            .output("key: uint64")
            .output("counter: uint64")
            .output("alg: int32")
            .attr("Tseed: " + INDEX + " = int64")
            .shape(
                c -> {
                  keyShape(c);
                  c.output(2, Shape.scalar());
                })
            .kernel(
                node ->
                    c -> {
                      setKey(c);
                      IndexTensors.setScalar(c, 2, RngState.PHILOX);
                    })
            .notDifferentiable(),
        real("StatelessRandomUniformV2", Distribution::uniform),
        real("StatelessRandomNormalV2", Distribution::normal),
        real("StatelessTruncatedNormalV2", Distribution::truncatedNormal),
        keyed("StatelessRandomUniformFullIntV2")
            .output("output: dtype")
            .attr("dtype: " + INTEGERS + " = uint64")
            .attr("Tshape: " + INDEX + " = int32")
            .shape(StatelessRandomOps::shape)
            .kernel(
                node -> {
                  Distribution distribution =
                      Distribution.uniformFullInt(node.attributes().type("dtype"));
                  return c -> fill(c, distribution);
                })
            .notDifferentiable(),
        keyed("StatelessRandomUniformIntV2")
            .input("minval: dtype")
            .input("maxval: dtype")
            .output("output: dtype")
            .attr("dtype: " + INTEGERS)
            .attr("Tshape: " + INDEX + " = int32")
            .shape(StatelessRandomOps::shape)
            .kernel(
                node -> c -> fill(c, RandomOps.uniformInt(c.outputType(0), c.input(4), c.input(5))))
            .notDifferentiable(),
        op("StatelessShuffle")
            .input("value: T")
            .input("key: uint64")
            .input("counter: uint64")
            .input("alg: int32")
            .output("output: T")
            .attr("T: type")
            .shape(ShapeRules::unchanged)
            .kernel(
                node ->
                    c -> {
                      Philox source = source(c);
                      Shuffle.run(c, rows -> source);
                    })
            .notDifferentiable());
  }

  private static Declaration keyed(String name) {
    return keyed(name, "Tshape");
  }

  static Declaration keyed(String name, String shapeType) {
    return op(name)
        .input("shape: " + shapeType)
        .input("key: uint64")
        .input("counter: uint64")
        .input("alg: int32");
  }

  private static OpDeclaration real(String name, Function<DataType, Distribution> make) {
    return keyed(name)
        .output("output: dtype")
        .attr("dtype: {half, bfloat16, float, double} = float")
        .attr("Tshape: " + INDEX + " = int32")
        .shape(StatelessRandomOps::shape)
        .kernel(
            node -> {
              Distribution distribution = make.apply(node.attributes().type("dtype"));
              return c -> fill(c, distribution);
            })
        .notDifferentiable();
  }

  static void shape(InferenceContext context) {
    context.withRank(1, 1);
    context.withRank(2, 1);
    context.withRank(3, 0);
    context.output(0, context.knownShape(0));
  }

  private static void keyShape(InferenceContext context) {
    context.withRank(0, 1);
    context.output(0, Shape.of(1));
    context.output(1, Shape.of(2));
  }

  private static void setKey(KernelContext context) {
    Philox source = RandomOps.statelessSource(context.input(0));
    long key = context.allocateOutput(0, Shape.of(1)).storage().address();
    long counter = context.allocateOutput(1, Shape.of(2)).storage().address();
    Memory.putLong(key, source.key());
    Memory.putLong(counter, source.counterLow());
    Memory.putLong(counter + Long.BYTES, source.counterHigh());
  }

  private static void fill(KernelContext context, Distribution distribution) {
    Philox source = source(context);
    Tensor output = context.allocateOutput(0, IndexTensors.toShape(context.input(0)));
    distribution.fill(source, output.storage().address(), output.elementCount());
  }

  /** The stream that inputs 1 to 3 give. */
  static Philox source(KernelContext context) {
    return source(context.input(1), context.input(2), context.input(3));
  }

  private static Philox source(Tensor key, Tensor counter, Tensor algorithm) {
    RngState.requirePhilox(algorithm);
    if (!key.shape().equals(Shape.of(1))) {
      throw TributaryException.invalidArgument("key must have shape [1], not %s", key.shape());
    }
    if (counter.rank() != 1 || counter.elementCount() < 2) {
      throw TributaryException.invalidArgument(
          "counter must be a vector of 2 elements or more, got shape %s", counter.shape());
    }
    return new Philox(
        IndexTensors.at(key, 0), IndexTensors.at(counter, 0), IndexTensors.at(counter, 1));
  }
}
