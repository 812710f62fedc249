package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.random.BoundedNormal;
import dev.tributary.internal.kernel.random.GuardedPhilox;
import dev.tributary.internal.kernel.random.Philox;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.OptionalLong;

/** Normal numbers between bounds, whose parameters are tensors. */
abstract sealed class BoundedNormalOps extends StatelessDrawOps permits DistributionOps {
  private static final String INDEX = "{int32, int64}";

  /** Draws that share parameters are made in groups of so many. */
  private static final long GROUP = 100;

  BoundedNormalOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        RandomOps.seeded(
                op("ParameterizedTruncatedNormal")
                    .input("shape: T")
                    .input("means: dtype")
                    .input("stdevs: dtype")
                    .input("minvals: dtype")
                    .input("maxvals: dtype")
                    .output("output: dtype"))
            .attr("dtype: {half, bfloat16, float, double}")
            .attr("T: " + INDEX)
            .shape(c -> c.output(0, c.knownShape(0)))
            .kernel(
                node -> {
                  GuardedPhilox state = RandomOps.state(node);
                  return c -> stateful(c, state);
                })
            .notDifferentiable(),
        op("StatelessParameterizedTruncatedNormal")
            .input("shape: S")
            .input("seed: Tseed")
            .input("means: dtype")
            .input("stddevs: dtype")
            .input("minvals: dtype")
            .input("maxvals: dtype")
            .output("output: dtype")
            .attr("S: " + INDEX)
            .attr("Tseed: " + INDEX + " = int64")
            .attr("dtype: {half, float, double}")
            .shape(c -> c.output(0, c.knownShape(0)))
            .kernel(node -> BoundedNormalOps::stateless)
            .notDifferentiable());
  }

  /** Parameters are scalars, or vectors with one for each row of the result. */
  private static void stateful(KernelContext context, GuardedPhilox state) {
    Shape shape = IndexTensors.toShape(context.input(0));
    if (shape.rank() == 0) {
      throw TributaryException.invalidArgument("shape must have one element at least");
    }
    boolean isShared = true;
    for (int i = 1; i <= 4; i++) {
      Tensor parameter = context.input(i);
      isShared &= parameter.elementCount() == 1 && (parameter.rank() == 0 || i <= 2);
      boolean fits = parameter.elementCount() == 1 || parameter.elementCount() == shape.size(0);
      if (parameter.rank() > 1 || !fits) {
        throw TributaryException.invalidArgument(
            "the parameters must be scalars or vectors of length 1 or shape[0] = %d, got shape %s",
            shape.size(0), parameter.shape());
      }
    }
    Tensor output = context.allocateOutput(0, shape);
    long count = output.elementCount();
    long group = isShared ? GROUP : count / Math.max(1, shape.size(0));
    long groups = isShared ? (count + GROUP - 1) / GROUP : shape.size(0);
    Philox stream = state.reserveBlocks(groups * 2 * BoundedNormal.MOST_TRIES * (group + 3) / 4);
    BoundedNormal draws = new BoundedNormal(stream, output);
    for (long g = 0; g < groups && count > 0; g++) {
      draws.fill(
          new BoundedNormal.Parameters(
              parameter(context, 1, g),
              parameter(context, 2, g),
              parameter(context, 3, g),
              parameter(context, 4, g)),
          g * group,
          Math.min(count - g * group, group),
          1);
    }
  }

  private static double parameter(KernelContext context, int input, long group) {
    Tensor parameter = context.input(input);
    return Reals.at(parameter, parameter.elementCount() == 1 ? 0 : group);
  }

  /** Parameters are broadcast to each other, and the shape ends with theirs. */
  private static void stateless(KernelContext context) {
    Shape shape = IndexTensors.toShape(context.input(0));
    Shape batch = Shape.scalar();
    for (int i = 2; i <= 5; i++) {
      batch = Broadcast.shape(batch, context.input(i).shape());
    }
    DistributionOps.requireEnd(shape, batch);
    Philox source = RandomOps.statelessSource(context.input(1));
    Tensor output = context.allocateOutput(0, shape);
    BoundedNormal draws = new BoundedNormal(source, output);
    long batches = batch.elementCount();
    for (long b = 0; b < batches && output.elementCount() > 0; b++) {
      draws.fill(
          new BoundedNormal.Parameters(
              broadcast(context, 2, batch, b),
              broadcast(context, 3, batch, b),
              broadcast(context, 4, batch, b),
              broadcast(context, 5, batch, b)),
          b,
          output.elementCount() / batches,
          batches);
    }
  }

  private static double broadcast(KernelContext context, int input, Shape batch, long i) {
    Tensor parameter = context.input(input);
    return Reals.at(parameter, Broadcast.repeated(parameter.shape(), batch, i));
  }

  /**
   * Normal numbers between bounds.
   *
   * @param mean a scalar, or a vector with an element for each row of the result, like the other
   *     parameters
   */
  public Output parameterizedTruncatedNormal(
      Operand shape, Operand mean, Operand deviation, Operand least, Operand greatest) {
    return RandomOps.withSeed(
        scope,
        scope
            .operation("ParameterizedTruncatedNormal")
            .input(shape)
            .input(mean)
            .input(deviation)
            .input(least)
            .input(greatest),
        OptionalLong.empty());
  }
}
