package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.lookup.FixedUnigrams;
import dev.tributary.internal.kernel.random.AccidentalHits;
import dev.tributary.internal.kernel.random.CandidateRange;
import dev.tributary.internal.kernel.random.Candidates;
import dev.tributary.internal.kernel.random.OpSeeds;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Random classes that stand for all others in the loss of a model with very many classes. Each
 * method gives the drawn classes (0), and how often the true classes (1) and the drawn ones (2) are
 * expected among so many draws.
 */
abstract sealed class CandidateOps permits StatelessDrawOps {
  final Scope scope;

  CandidateOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        ranged("UniformCandidateSampler", CandidateRange::uniform),
        ranged("LogUniformCandidateSampler", CandidateRange::logUniform),
        ranged("LearnedUnigramCandidateSampler", CandidateRange::learned),
        ranged("ThreadUnsafeUnigramCandidateSampler", CandidateRange::learned),
        RandomOps.seeded(
                attributes(op("FixedUnigramCandidateSampler"))
                    .attr("range_max: int >= 1")
                    .attr("vocab_file: string = ''")
                    .attr("distortion: float = 1.0")
                    .attr("num_reserved_ids: int = 0")
                    .attr("num_shards: int >= 1 = 1")
                    .attr("shard: int >= 0 = 0")
                    .attr("unigrams: list(float) = []"))
            .shape(CandidateOps::samplerShape)
            .kernel(node -> FixedUnigrams.kernel(node, RandomOps.state(node)))
            .notDifferentiable(),
        sampler(
            op("AllCandidateSampler"), a -> CandidateRange.all(a.integer("num_sampled")), false),
        op("ComputeAccidentalHits")
            .input("true_classes: int64")
            .input("sampled_candidates: int64")
            .output("indices: int32")
            .output("ids: int64")
            .output("weights: float")
            .attr("num_true: int")
            .attr("seed: int = 0")
            .attr("seed2: int = 0")
            .shape(
                c -> {
                  c.withRank(0, 2);
                  c.withRank(1, 1);
                  for (int i = 0; i < 3; i++) {
                    c.output(i, Shape.ofRank(1));
                  }
                })
            .kernel(AccidentalHits::new)
            .notDifferentiable());
  }

  private static OpDeclaration ranged(String name, Function<Long, CandidateRange> range) {
    return sampler(op(name), a -> range.apply(a.integer("range_max")), true);
  }

  private static OpDeclaration sampler(
      Declaration declaration, Function<Attributes, CandidateRange> range, boolean ranged) {
    Declaration attributes = attributes(declaration);
    return RandomOps.seeded(ranged ? attributes.attr("range_max: int >= 1") : attributes)
        .shape(CandidateOps::samplerShape)
        .kernel(node -> new Candidates(node, range.apply(node.attributes()), RandomOps.state(node)))
        .notDifferentiable();
  }

  private static Declaration attributes(Declaration declaration) {
    return declaration
        .input("true_classes: int64")
        .output("sampled_candidates: int64")
        .output("true_expected_count: float")
        .output("sampled_expected_count: float")
        .attr("num_true: int >= 1")
        .attr("num_sampled: int >= 1")
        .attr("unique: bool");
  }

  private static void samplerShape(InferenceContext context) {
    Shape classes = context.withRank(0, 2);
    Shape drawn = Shape.of(context.attributes().integer("num_sampled"));
    context.output(0, drawn);
    context.output(1, Shape.of(classes.size(0), context.attributes().integer("num_true")));
    context.output(2, drawn);
  }

  /**
   * Classes that are all equally likely.
   *
   * @param trueClasses a matrix of int64 with a row for each example
   * @param range the number of classes
   */
  public List<Output> uniformCandidateSampler(
      Operand trueClasses, int columns, int count, boolean unique, long range) {
    return sample("UniformCandidateSampler", trueClasses, columns, count, unique, range);
  }

  /** Classes of which small ones are likely, as those of words sorted by frequency. */
  public List<Output> logUniformCandidateSampler(
      Operand trueClasses, int columns, int count, boolean unique, long range) {
    return sample("LogUniformCandidateSampler", trueClasses, columns, count, unique, range);
  }

  /** Classes that are the likelier the more often they were true ones in earlier steps. */
  public List<Output> learnedUnigramCandidateSampler(
      Operand trueClasses, int columns, int count, boolean unique, long range) {
    return sample("LearnedUnigramCandidateSampler", trueClasses, columns, count, unique, range);
  }

  /**
   * Classes of given weights.
   *
   * @param weights one for each class
   * @param distortion the power to which weights are raised
   */
  public List<Output> fixedUnigramCandidateSampler(
      Operand trueClasses,
      int columns,
      int count,
      boolean unique,
      List<Float> weights,
      float distortion) {
    return builder(
            "FixedUnigramCandidateSampler", trueClasses, columns, count, unique, weights.size())
        .attr("unigrams", weights)
        .attr("distortion", distortion)
        .build()
        .outputs();
  }

  /**
   * The drawn classes that are true classes: the examples (0), the places among the drawn ones (1),
   * and weights that take their scores away (2).
   */
  public List<Output> computeAccidentalHits(Operand trueClasses, Operand drawn, int columns) {
    return scope
        .operation("ComputeAccidentalHits")
        .input(trueClasses)
        .input(drawn)
        .attr("num_true", columns)
        .build()
        .outputs();
  }

  private List<Output> sample(
      String type, Operand trueClasses, int columns, int count, boolean unique, long range) {
    return builder(type, trueClasses, columns, count, unique, range).build().outputs();
  }

  private OperationBuilder builder(
      String type, Operand trueClasses, int columns, int count, boolean unique, long range) {
    OpSeeds seeds = RandomOps.seeds(scope.graph(), OptionalLong.empty());
    return scope
        .operation(type)
        .input(trueClasses)
        .attr("num_true", columns)
        .attr("num_sampled", count)
        .attr("unique", unique)
        .attr("range_max", range)
        .attr("seed", seeds.seed())
        .attr("seed2", seeds.seed2());
  }
}
