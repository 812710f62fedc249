package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.random.Distribution;
import dev.tributary.internal.kernel.random.Philox;
import dev.tributary.internal.kernel.random.RngState;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.Function;

/**
 * Random numbers of the generators of TensorFlow 2, whose state is a variable. Clients use the ops
 * of {@link RandomOps}.
 */
final class StatefulRandomOps {
  private StatefulRandomOps() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        op("RngReadAndSkip")
            .input("resource: resource")
            .input("alg: int32")
            .input("delta: uint64")
            .output("value: int64")
            .stateful()
            .shape(c -> c.output(0, Shape.of(RngState.SIZE)))
            .kernel(node -> StatefulRandomOps::readAndSkip)
            .notDifferentiable(),
        op("RngSkip")
            .input("resource: resource")
            .input("algorithm: int64")
            .input("delta: int64")
            .stateful()
            .shape(ShapeRules::unknown)
            .kernel(node -> c -> skip(c))
            .notDifferentiable(),
        real("StatefulUniform", Distribution::uniform),
        real("StatefulStandardNormalV2", Distribution::normal),
        real("StatefulTruncatedNormal", Distribution::truncatedNormal),
        generator("StatefulUniformInt")
            .input("minval: dtype")
            .input("maxval: dtype")
            .output("output: dtype")
            .attr("dtype: type = int64")
            .attr("shape_dtype: type = int64")
            .stateful()
            .shape(c -> c.output(0, c.knownShape(2)))
            .kernel(
                node -> c -> fill(c, RandomOps.uniformInt(c.outputType(0), c.input(3), c.input(4))))
            .notDifferentiable(),
        generator("StatefulUniformFullInt")
            .output("output: dtype")
            .attr("dtype: type = uint64")
            .attr("shape_dtype: type = int64")
            .stateful()
            .shape(c -> c.output(0, c.knownShape(2)))
            .kernel(
                node -> {
                  Distribution distribution =
                      Distribution.uniformFullInt(node.attributes().type("dtype"));
                  return c -> fill(c, distribution);
                })
            .notDifferentiable(),
        op("StatefulStandardNormal")
            .input("resource: resource")
            .input("shape: shape_dtype")
            .output("output: dtype")
            .attr("dtype: type = float")
            .attr("shape_dtype: type = int64")
            .stateful()
            .deprecated(29, "Use StatefulStandardNormalV2 instead")
            .shape(c -> c.output(0, c.knownShape(1)))
            .kernel(
                node -> {
                  Distribution distribution = Distribution.normal(node.attributes().type("dtype"));
                  return c -> fillTagged(c, distribution);
                })
            .notDifferentiable(),
        op("NonDeterministicInts")
            .input("shape: shape_dtype")
            .output("output: dtype")
            .attr("dtype: type = int64")
            .attr("shape_dtype: type = int64")
            .stateful()
            .shape(c -> c.output(0, c.knownShape(0)))
            .kernel(
                node -> {
                  Distribution distribution =
                      Distribution.uniformFullInt(node.attributes().type("dtype"));
                  SecureRandom entropy = new SecureRandom();
                  return c -> {
                    Tensor output = c.allocateOutput(0, IndexTensors.toShape(c.input(0)));
                    distribution.fill(
                        new Philox(entropy.nextLong(), entropy.nextLong(), entropy.nextLong()),
                        output.storage().address(),
                        output.elementCount());
                  };
                })
            .notDifferentiable());
  }

  private static Declaration generator(String name) {
    return op(name)
        .input("resource: resource")
        .input("algorithm: int64")
        .input("shape: shape_dtype");
  }

  private static OpDeclaration real(String name, Function<DataType, Distribution> make) {
    return generator(name)
        .output("output: dtype")
        .attr("dtype: type = float")
        .attr("shape_dtype: type = int64")
        .stateful()
        .shape(c -> c.output(0, c.knownShape(2)))
        .kernel(
            node -> {
              Distribution distribution = make.apply(node.attributes().type("dtype"));
              return c -> fill(c, distribution);
            })
        .notDifferentiable();
  }

  private static void readAndSkip(KernelContext context) {
    Philox before = skip(context);
    long value = context.allocateOutput(0, Shape.of(RngState.SIZE)).storage().address();
    Memory.putLong(value, before.counterLow());
    Memory.putLong(value + 8, before.counterHigh());
    Memory.putLong(value + 16, before.key());
  }

  /** Moves the state on by the number of steps in input 2. */
  private static Philox skip(KernelContext context) {
    RngState.requirePhilox(context.input(1));
    IndexTensors.requireScalar(context.input(2), "delta");
    return RngState.take(context, IndexTensors.at(context.input(2), 0));
  }

  private static void fill(KernelContext context, Distribution distribution) {
    RngState.requirePhilox(context.input(1));
    Tensor output = output(context, 2);
    Philox source = RngState.take(context, output.elementCount());
    distribution.fill(source, output.storage().address(), output.elementCount());
  }

  private static void fillTagged(KernelContext context, Distribution distribution) {
    Tensor output = output(context, 1);
    Philox source = RngState.takeTagged(context, output.elementCount());
    distribution.fill(source, output.storage().address(), output.elementCount());
  }

  private static Tensor output(KernelContext context, int shapeInput) {
    Tensor shape = context.input(shapeInput);
    if (shape.type() != DataType.INT32 && shape.type() != DataType.INT64) {
      throw TributaryException.invalidArgument(
          "shape must be of type int32 or int64, got %s", shape.type().lowerName());
    }
    return context.allocateOutput(0, IndexTensors.toShape(shape));
  }
}
