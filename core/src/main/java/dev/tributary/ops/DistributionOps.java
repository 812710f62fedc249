package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.math.BinaryKernel;
import dev.tributary.internal.kernel.math.IncompleteGamma;
import dev.tributary.internal.kernel.random.Binomial;
import dev.tributary.internal.kernel.random.Gamma;
import dev.tributary.internal.kernel.random.GuardedPhilox;
import dev.tributary.internal.kernel.random.Philox;
import dev.tributary.internal.kernel.random.Poisson;
import dev.tributary.internal.kernel.random.RngState;
import dev.tributary.internal.kernel.random.Sampler;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/** Random numbers of distributions whose parameters are tensors. */
abstract sealed class DistributionOps extends BoundedNormalOps permits RandomOps {
  private static final String INDEX = "{int32, int64}";
  private static final String SEED = "Tseed: " + INDEX + " = int64";
  private static final String REAL = "{half, float, double}";
  private static final String NUMBER = "{half, float, double, int32, int64}";

  DistributionOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        RandomOps.seeded(op("RandomGamma").input("shape: S").input("alpha: T").output("output: T"))
            .attr("S: " + INDEX)
            .attr("T: " + REAL)
            .shape(DistributionOps::appendedShape)
            .kernel(
                node -> {
                  GuardedPhilox state = RandomOps.state(node);
                  return c -> appended(c, state, DistributionOps::gamma);
                })
            .grad((tf, op, dy) -> List.of(GradientValue.none(), gammaGradient(tf, op, 1, dy))),
        RandomOps.seeded(
                op("RandomPoissonV2").input("shape: S").input("rate: R").output("output: dtype"))
            .attr("S: " + INDEX)
            .attr("R: " + NUMBER + " = double")
            .attr("dtype: " + NUMBER + " = int64")
            .shape(DistributionOps::appendedShape)
            .kernel(
                node -> {
                  GuardedPhilox state = RandomOps.state(node);
                  return c -> appended(c, state, DistributionOps::poisson);
                })
            .notDifferentiable(),
        RandomOps.seeded(
                op("RandomPoisson").input("shape: S").input("rate: dtype").output("output: dtype"))
            .attr("S: " + INDEX)
            .attr("dtype: " + REAL)
            .deprecated(25, "Replaced by RandomPoissonV2")
            .shape(DistributionOps::appendedShape)
            .kernel(
                node -> {
                  GuardedPhilox state = RandomOps.state(node);
                  return c -> appended(c, state, DistributionOps::poisson);
                })
            .notDifferentiable(),
        op("StatelessRandomGammaV2")
            .input("shape: T")
            .input("seed: Tseed")
            .input("alpha: dtype")
            .output("output: dtype")
            .attr("dtype: " + REAL)
            .attr("T: " + INDEX)
            .attr(SEED)
            .shape(c -> c.output(0, c.knownShape(0)))
            .kernel(node -> stateless(2, DistributionOps::gamma))
            .grad(
                (tf, op, dy) ->
                    List.of(
                        GradientValue.none(), GradientValue.none(), gammaGradient(tf, op, 2, dy))),
        StatelessRandomOps.keyed("StatelessRandomGammaV3", "shape_dtype")
            .input("alpha: dtype")
            .output("output: dtype")
            .attr("dtype: " + REAL)
            .attr("shape_dtype: " + INDEX + " = int32")
            .shape(StatelessRandomOps::shape)
            .kernel(
                node -> c -> filled(c, StatelessRandomOps.source(c), c.input(4), gamma(c.input(4))))
            .grad(
                (tf, op, dy) ->
                    List.of(
                        GradientValue.none(),
                        GradientValue.none(),
                        GradientValue.none(),
                        GradientValue.none(),
                        gammaGradient(tf, op, 4, dy))),
        op("StatelessRandomPoisson")
            .input("shape: T")
            .input("seed: Tseed")
            .input("lam: Rtype")
            .output("output: dtype")
            .attr("Rtype: " + NUMBER)
            .attr("dtype: " + NUMBER)
            .attr("T: " + INDEX)
            .attr(SEED)
            .shape(c -> c.output(0, c.knownShape(0)))
            .kernel(node -> stateless(2, DistributionOps::poisson))
            .notDifferentiable(),
        op("StatelessRandomBinomial")
            .input("shape: S")
            .input("seed: Tseed")
            .input("counts: T")
            .input("probs: T")
            .output("output: dtype")
            .attr("S: " + INDEX)
            .attr(SEED)
            .attr("T: " + NUMBER + " = double")
            .attr("dtype: " + NUMBER + " = int64")
            .shape(c -> c.output(0, c.knownShape(0)))
            .kernel(node -> c -> binomial(c, 0, 2, (b, s) -> RandomOps.statelessSource(c.input(1))))
            .notDifferentiable(),
        op("StatefulRandomBinomial")
            .input("resource: resource")
            .input("algorithm: int64")
            .input("shape: S")
            .input("counts: T")
            .input("probs: T")
            .output("output: dtype")
            .attr("S: " + INDEX)
            .attr("T: " + NUMBER + " = double")
            .attr("dtype: " + NUMBER + " = int64")
            .stateful()
            .shape(c -> c.output(0, c.knownShape(2)))
            .kernel(
                node ->
                    c -> {
                      RngState.requirePhilox(c.input(1));
                      binomial(c, 2, 3, (b, s) -> RngState.take(c, b * 2 * 100 * (s + 3) / 4));
                    })
            .notDifferentiable(),
        op("RandomGammaGrad")
            .input("alpha: T")
            .input("sample: T")
            .output("output: T")
            .attr("T: {float, double}")
            .shape(ElementWise::broadcast)
            .kernel(BinaryKernel.of(IncompleteGamma.SAMPLE_SLOPE))
            .notDifferentiable());
  }

  /** Makes the sampler of each parameter. */
  private interface Samplers {
    LongFunction<Sampler> of(Tensor parameters);
  }

  /** Makes the stream for a number of batches and of samples in each. */
  private interface BatchSource {
    Philox of(long batches, long samples);
  }

  private static LongFunction<Sampler> gamma(Tensor alpha) {
    return i -> Gamma.of(Reals.at(alpha, i));
  }

  private static LongFunction<Sampler> poisson(Tensor rates) {
    return i -> Poisson.of(Sampler.parameter(rates, i));
  }

  private static void appendedShape(InferenceContext context) {
    context.output(0, context.knownShape(0).concatenate(context.input(1)));
  }

  /** Draws of the shape in input 0, followed by the shape of the parameters in input 1. */
  private static void appended(KernelContext context, GuardedPhilox state, Samplers samplers) {
    Tensor parameters = context.input(1);
    Shape samples = IndexTensors.toShape(context.input(0));
    Tensor output = context.allocateOutput(0, samples.concatenate(parameters.shape()));
    if (samples.elementCount() == 0) {
      return;
    }
    if (parameters.elementCount() == 0) {
      throw TributaryException.invalidArgument(
          "The parameters should have a non-zero element count, got shape %s", parameters.shape());
    }
    Philox source = state.reserveOutputs(output.elementCount());
    Sampler.fill(source, parameters.elementCount(), output, samplers.of(parameters));
  }

  private static Kernel stateless(int input, Samplers samplers) {
    return c -> {
      Tensor parameters = c.input(input);
      filled(c, RandomOps.statelessSource(c.input(1)), parameters, samplers.of(parameters));
    };
  }

  /** Draws of the shape in input 0, which ends with the shape of the parameters. */
  private static void filled(
      KernelContext context, Philox source, Tensor parameters, LongFunction<Sampler> samplers) {
    Shape shape = IndexTensors.toShape(context.input(0));
    requireEnd(shape, parameters.shape());
    Tensor output = context.allocateOutput(0, shape);
    if (output.elementCount() > 0) {
      Sampler.fill(source, parameters.elementCount(), output, samplers);
    }
  }

  private static void binomial(
      KernelContext context, int shapeInput, int countsInput, BatchSource source) {
    Tensor counts = context.input(countsInput);
    Tensor probabilities = context.input(countsInput + 1);
    Shape batch = Broadcast.shape(counts.shape(), probabilities.shape());
    Shape shape = IndexTensors.toShape(context.input(shapeInput));
    requireEnd(shape, batch);
    Tensor output = context.allocateOutput(0, shape);
    long batches = batch.elementCount();
    if (output.elementCount() == 0) {
      return;
    }
    boolean single = counts.type() == DataType.FLOAT;
    Sampler.fill(
        source.of(batches, output.elementCount() / batches),
        batches,
        output,
        i ->
            Binomial.of(
                Sampler.parameter(counts, Broadcast.repeated(counts.shape(), batch, i)),
                Sampler.parameter(
                    probabilities, Broadcast.repeated(probabilities.shape(), batch, i)),
                single));
  }

  static void requireEnd(Shape shape, Shape parameters) {
    int rank = parameters.rank();
    if (shape.rank() < rank || !shape.slice(shape.rank() - rank, shape.rank()).equals(parameters)) {
      throw TributaryException.invalidArgument(
          "Shape passed in must end with broadcasted shape: %s does not end with %s",
          shape, parameters);
    }
  }

  private static Output gammaGradient(Ops tf, Operation op, int alpha, Output dy) {
    Output parameters = op.input(alpha);
    Output slope = tf.random.gammaGradient(parameters, op.output(0));
    return BroadcastGradients.reduce(tf, parameters, tf.mul(dy, slope));
  }

  /**
   * Numbers of the gamma distribution with scale 1.
   *
   * @param shape the shape of the draws for each parameter; the result has this shape, followed by
   *     that of the parameters
   */
  public Output gamma(Operand shape, Operand alpha) {
    return seeded(scope.operation("RandomGamma").input(shape).input(alpha));
  }

  /** The slopes of {@link #gamma}'s numbers by their parameters. */
  public Output gammaGradient(Operand alpha, Operand sample) {
    return scope.operation("RandomGammaGrad").input(alpha).input(sample).buildOutput();
  }

  /** Numbers of the Poisson distribution, of the shape that {@link #gamma} describes. */
  public Output poisson(Operand shape, Operand rate, DataType type) {
    return seeded(scope.operation("RandomPoissonV2").input(shape).input(rate).attr("dtype", type));
  }

  /**
   * Numbers of the gamma distribution that follow from the two-element seed alone.
   *
   * @param shape the shape of the result, which ends with that of the parameters
   */
  public Output statelessGamma(Operand shape, Operand seed, Operand alpha) {
    return scope
        .operation("StatelessRandomGammaV2")
        .input(shape)
        .input(seed)
        .input(alpha)
        .buildOutput();
  }

  /** The same for the Poisson distribution. */
  public Output statelessPoisson(Operand shape, Operand seed, Operand rate, DataType type) {
    return scope
        .operation("StatelessRandomPoisson")
        .input(shape)
        .input(seed)
        .input(rate)
        .attr("dtype", type)
        .buildOutput();
  }

  /** The same for the binomial distribution. */
  public Output statelessBinomial(
      Operand shape, Operand seed, Operand counts, Operand probabilities, DataType type) {
    return scope
        .operation("StatelessRandomBinomial")
        .input(shape)
        .input(seed)
        .input(counts)
        .input(probabilities)
        .attr("dtype", type)
        .buildOutput();
  }

  private Output seeded(OperationBuilder builder) {
    return RandomOps.withSeed(scope, builder, OptionalLong.empty());
  }
}
