package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operand;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.random.Distribution;
import dev.tributary.internal.kernel.random.GuardedPhilox;
import dev.tributary.internal.kernel.random.Multinomial;
import dev.tributary.internal.kernel.random.OpSeeds;
import dev.tributary.internal.kernel.random.Philox;
import dev.tributary.internal.kernel.random.Shuffle;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.security.SecureRandom;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * Random numbers, equal to TensorFlow's for equal seeds: ops that draw on with each run, and
 * stateless twins whose numbers follow from their seed input alone.
 */
public final class RandomOps extends DistributionOps {
  private static final String REAL = "{half, bfloat16, float, double}";
  private static final String INDEX = "{int32, int64}";
  private static final String LOGITS =
      "{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}";

  RandomOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        ofShape("RandomUniform", Distribution::uniform),
        ofShape("RandomStandardNormal", Distribution::normal),
        ofShape("TruncatedNormal", Distribution::truncatedNormal),
        seeded(
                op("RandomUniformInt")
                    .input("shape: T")
                    .input("minval: Tout")
                    .input("maxval: Tout")
                    .output("output: Tout"))
            .attr("Tout: " + INDEX)
            .attr("T: " + INDEX)
            .shape(RandomOps::shapeFromInput)
            .kernel(
                node -> {
                  GuardedPhilox state = state(node);
                  return c -> {
                    Distribution distribution = uniformInt(c.outputType(0), c.input(1), c.input(2));
                    Tensor output = c.allocateOutput(0, IndexTensors.toShape(c.input(0)));
                    long count = output.elementCount();
                    distribution.fill(
                        state.reserveOutputs(count), output.storage().address(), count);
                  };
                })
            .notDifferentiable(),
        seeded(op("RandomShuffle").input("value: T").output("output: T"))
            .attr("T: type")
            .shape(ShapeRules::unchanged)
            .kernel(RandomOps::shuffle)
            .notDifferentiable(),
        seeded(
                op("Multinomial")
                    .input("logits: T")
                    .input("num_samples: int32")
                    .output("output: output_dtype"))
            .attr("T: " + LOGITS)
            .attr("output_dtype: " + INDEX + " = int64")
            .shape(RandomOps::multinomialShape)
            .kernel(RandomOps::multinomial)
            .notDifferentiable(),
        stateless("StatelessRandomUniform", Distribution::uniform),
        stateless("StatelessRandomNormal", Distribution::normal),
        stateless("StatelessTruncatedNormal", Distribution::truncatedNormal),
        op("StatelessRandomUniformInt")
            .input("shape: T")
            .input("seed: Tseed")
            .input("minval: dtype")
            .input("maxval: dtype")
            .output("output: dtype")
            .attr("dtype: " + INDEX)
            .attr("T: " + INDEX)
            .attr("Tseed: " + INDEX + " = int64")
            .shape(RandomOps::shapeFromInput)
            .kernel(
                node ->
                    c -> {
                      Distribution distribution =
                          uniformInt(c.outputType(0), c.input(2), c.input(3));
                      Tensor output = c.allocateOutput(0, IndexTensors.toShape(c.input(0)));
                      distribution.fill(
                          statelessSource(c.input(1)),
                          output.storage().address(),
                          output.elementCount());
                    })
            .notDifferentiable(),
        op("StatelessRandomUniformFullInt")
            .input("shape: T")
            .input("seed: Tseed")
            .output("output: dtype")
            .attr("dtype: {int32, int64, uint32, uint64} = uint64")
            .attr("T: " + INDEX + " = int32")
            .attr("Tseed: {int32, int64, uint32, uint64} = int64")
            .shape(RandomOps::shapeFromInput)
            .kernel(
                node ->
                    statelessKernel(Distribution.uniformFullInt(node.attributes().type("dtype"))))
            .notDifferentiable(),
        op("StatelessMultinomial")
            .input("logits: T")
            .input("num_samples: int32")
            .input("seed: Tseed")
            .output("output: output_dtype")
            .attr("T: " + LOGITS)
            .attr("Tseed: " + INDEX + " = int64")
            .attr("output_dtype: " + INDEX + " = int64")
            .shape(RandomOps::multinomialShape)
            .kernel(
                node -> {
                  Multinomial draw = new Multinomial(node.type(), node.outputTypes().get(0));
                  return c -> draw(draw, c, batch -> statelessSource(c.input(2)));
                })
            .notDifferentiable());
  }

  /** Numbers from 0 (included) to 1 (excluded). */
  public Output uniform(Operand shape, DataType type) {
    return ofShape("RandomUniform", shape, type, OptionalLong.empty());
  }

  public Output uniform(Operand shape, DataType type, long seed) {
    return ofShape("RandomUniform", shape, type, OptionalLong.of(seed));
  }

  /** Normally distributed numbers of mean 0 and deviation 1. */
  public Output normal(Operand shape, DataType type) {
    return ofShape("RandomStandardNormal", shape, type, OptionalLong.empty());
  }

  public Output normal(Operand shape, DataType type, long seed) {
    return ofShape("RandomStandardNormal", shape, type, OptionalLong.of(seed));
  }

  /**
   * Normally distributed numbers, drawn again if they are more than two deviations from the mean.
   */
  public Output truncatedNormal(Operand shape, DataType type) {
    return ofShape("TruncatedNormal", shape, type, OptionalLong.empty());
  }

  public Output truncatedNormal(Operand shape, DataType type, long seed) {
    return ofShape("TruncatedNormal", shape, type, OptionalLong.of(seed));
  }

  /** Integers from {@code minval} (included) to {@code maxval} (excluded). */
  public Output uniformInt(Operand shape, Operand minval, Operand maxval) {
    return withSeed(
        scope.operation("RandomUniformInt").input(shape).input(minval).input(maxval),
        OptionalLong.empty());
  }

  /** The slices of {@code value} along its first dimension in another order. */
  public Output shuffle(Operand value) {
    return withSeed(scope.operation("RandomShuffle").input(value), OptionalLong.empty());
  }

  /** As the other, in an order that follows from the seed. */
  public Output shuffle(Operand value, long seed) {
    return withSeed(scope.operation("RandomShuffle").input(value), OptionalLong.of(seed));
  }

  /** Class numbers drawn with the probabilities that each row of logits gives, [batch, samples]. */
  public Output multinomial(Operand logits, Operand samples) {
    return withSeed(
        scope.operation("Multinomial").input(logits).input(samples), OptionalLong.empty());
  }

  /** Numbers from 0 to 1 that follow from the two-element seed alone. */
  public Output statelessUniform(Operand shape, Operand seed, DataType type) {
    return scope
        .operation("StatelessRandomUniform")
        .input(shape)
        .input(seed)
        .attr("dtype", type)
        .buildOutput();
  }

  public Output statelessNormal(Operand shape, Operand seed, DataType type) {
    return scope
        .operation("StatelessRandomNormal")
        .input(shape)
        .input(seed)
        .attr("dtype", type)
        .buildOutput();
  }

  public Output statelessTruncatedNormal(Operand shape, Operand seed, DataType type) {
    return scope
        .operation("StatelessTruncatedNormal")
        .input(shape)
        .input(seed)
        .attr("dtype", type)
        .buildOutput();
  }

  public Output statelessUniformInt(Operand shape, Operand seed, Operand minval, Operand maxval) {
    return scope
        .operation("StatelessRandomUniformInt")
        .input(shape)
        .input(seed)
        .input(minval)
        .input(maxval)
        .buildOutput();
  }

  /** Integers over the whole range of their type. */
  public Output statelessUniformFullInt(Operand shape, Operand seed, DataType type) {
    return scope
        .operation("StatelessRandomUniformFullInt")
        .input(shape)
        .input(seed)
        .attr("dtype", type)
        .buildOutput();
  }

  public Output statelessMultinomial(Operand logits, Operand samples, Operand seed) {
    return scope
        .operation("StatelessMultinomial")
        .input(logits)
        .input(samples)
        .input(seed)
        .buildOutput();
  }

  private Output ofShape(String op, Operand shape, DataType type, OptionalLong seed) {
    return withSeed(scope.operation(op).input(shape).attr("dtype", type), seed);
  }

  private Output withSeed(OperationBuilder builder, OptionalLong seed) {
    return withSeed(scope, builder, seed);
  }

  static Output withSeed(Scope scope, OperationBuilder builder, OptionalLong seed) {
    OpSeeds seeds = seeds(scope.graph(), seed);
    return builder.attr("seed", seeds.seed()).attr("seed2", seeds.seed2()).buildOutput();
  }

  /** The attributes of the next random op of a graph. */
  static OpSeeds seeds(Graph graph, OptionalLong seed) {
    OptionalLong graphSeed = graph.seed().map(OptionalLong::of).orElse(OptionalLong.empty());
    return OpSeeds.of(graphSeed, seed, graph::size);
  }

  static Declaration seeded(Declaration declaration) {
    return declaration.attr("seed: int = 0").attr("seed2: int = 0").stateful();
  }

  private static OpDeclaration ofShape(String name, Function<DataType, Distribution> make) {
    return seeded(op(name).input("shape: T").output("output: dtype"))
        .attr("dtype: " + REAL)
        .attr("T: " + INDEX)
        .shape(RandomOps::shapeFromInput)
        .kernel(
            node -> {
              GuardedPhilox state = state(node);
              Distribution distribution = make.apply(node.attributes().type("dtype"));
              return c -> {
                Tensor output = c.allocateOutput(0, IndexTensors.toShape(c.input(0)));
                long count = output.elementCount();
                distribution.fill(state.reserveOutputs(count), output.storage().address(), count);
              };
            })
        .notDifferentiable();
  }

  private static OpDeclaration stateless(String name, Function<DataType, Distribution> make) {
    return op(name)
        .input("shape: T")
        .input("seed: Tseed")
        .output("output: dtype")
        .attr("dtype: " + REAL + " = float")
        .attr("T: " + INDEX + " = int32")
        .attr("Tseed: " + INDEX + " = int64")
        .shape(RandomOps::shapeFromInput)
        .kernel(node -> statelessKernel(make.apply(node.attributes().type("dtype"))))
        .notDifferentiable();
  }

  private static Kernel statelessKernel(Distribution distribution) {
    return c -> {
      Tensor output = c.allocateOutput(0, IndexTensors.toShape(c.input(0)));
      distribution.fill(
          statelessSource(c.input(1)), output.storage().address(), output.elementCount());
    };
  }

  private static void shapeFromInput(InferenceContext context) {
    context.output(0, context.knownShape(0));
  }

  private static void multinomialShape(InferenceContext context) {
    long batch = context.withRank(0, 2).size(0);
    context.withRank(1, 0);
    long samples = context.known(1).map(v -> v.elements()[0]).orElse(Shape.UNKNOWN);
    context.output(0, Shape.of(batch, Math.max(samples, Shape.UNKNOWN)));
  }

  /** The stream of a random op with the attributes {@code seed} and {@code seed2}. */
  static GuardedPhilox state(KernelNode node) {
    Attributes attributes = node.attributes();
    return GuardedPhilox.ofSeeds(
        attributes.integer("seed"),
        attributes.integer("seed2"),
        () -> new SecureRandom().nextLong());
  }

  static Philox statelessSource(Tensor seed) {
    if (seed.elementCount() != 2 || seed.rank() != 1) {
      throw TributaryException.invalidArgument("seed must have shape [2], not %s", seed.shape());
    }
    return Philox.ofStatelessSeed(seed.getIndex(0), seed.getIndex(1));
  }

  static Distribution uniformInt(DataType type, Tensor minval, Tensor maxval) {
    IndexTensors.requireScalar(minval, "minval");
    IndexTensors.requireScalar(maxval, "maxval");
    long low = minval.getIndex(0);
    long high = maxval.getIndex(0);
    if (low >= high) {
      throw TributaryException.invalidArgument("Need minval < maxval, got %d >= %d", low, high);
    }
    return Distribution.uniformInt(type, low, high);
  }

  private static Kernel shuffle(KernelNode node) {
    GuardedPhilox state = state(node);
    return c -> Shuffle.run(c, rows -> state.reserveWords(rows - 1));
  }

  private static Kernel multinomial(KernelNode node) {
    GuardedPhilox state = state(node);
    Multinomial draw = new Multinomial(node.type(), node.outputTypes().get(0));
    return c -> draw(draw, c, state::reserveOutputs);
  }

  private static void draw(Multinomial draw, KernelContext context, LongFunction<Philox> source) {
    Tensor logits = context.input(0);
    if (logits.rank() != 2) {
      throw TributaryException.invalidArgument(
          "logits should be a matrix, got shape %s", logits.shape());
    }
    long samples = IndexTensors.scalar(context.input(1), "num_samples");
    if (samples < 0) {
      throw TributaryException.invalidArgument(
          "num_samples should be nonnegative, got %d", samples);
    }
    int batch = ArrayLength.of(logits.shape().size(0));
    int classes = ArrayLength.of(logits.shape().size(1));
    if (classes == 0) {
      throw TributaryException.invalidArgument("num_classes should be positive, got %d", classes);
    }
    Tensor output = context.allocateOutput(0, Shape.of(batch, samples));
    if (output.elementCount() > 0) {
      Philox philox = source.apply(Multinomial.outputs(batch, (int) samples));
      draw.fill(
          philox,
          logits.storage().address(),
          batch,
          classes,
          (int) samples,
          output.storage().address());
    }
  }
}
