package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.random.IndexShuffle;
import dev.tributary.internal.kernel.random.StochasticCast;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Draws that follow from a seed and from given values. */
abstract sealed class StatelessDrawOps extends CandidateOps permits BoundedNormalOps {
  private static final String INTEGERS = "{int32, uint32, int64, uint64}";

  StatelessDrawOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("RandomIndexShuffle")
            .input("index: dtype")
            .input("seed: Tseed")
            .input("max_index: dtype")
            .output("output: dtype")
            .attr("rounds: int = 4")
            .attr("dtype: " + INTEGERS)
            .attr("Tseed: " + INTEGERS)
            .shape(StatelessDrawOps::shuffledShape)
            .kernel(IndexShuffle::kernel)
            .notDifferentiable(),
        op("StochasticCastToInt")
            .input("input: Tin")
            .input("key: uint64")
            .input("counter: uint64")
            .input("alg: int32")
            .output("output: Tout")
            .attr("Tin: {half, bfloat16, float, double}")
            .attr("Tout: {int8, int16, int32}")
            .shape(
                c -> {
                  c.withRank(1, 1);
                  c.withRank(2, 1);
                  c.withRank(3, 0);
                  ShapeRules.unchanged(c);
                })
            .kernel(
                node -> {
                  DataType to = node.attributes().type("Tout");
                  return c -> StochasticCast.run(c, StatelessRandomOps.source(c), to);
                })
            .notDifferentiable());
  }

  private static void shuffledShape(InferenceContext context) {
    Shape index = context.input(0);
    Shape seed = context.input(1);
    Shape greatest = context.input(2);
    if (!index.hasRank() || !seed.hasRank() || !greatest.hasRank()) {
      return;
    }
    if (index.rank() == 0 && seed.rank() == 1 && greatest.rank() == 0) {
      context.output(0, Shape.scalar());
    } else {
      context.output(0, Shape.ofRank(1));
    }
  }

  /**
   * The places of indices in a random permutation of all indices up to a greatest one.
   *
   * @param seed three integers, or as many for each index
   */
  public Output indexShuffle(Operand index, Operand seed, Operand maxIndex) {
    return scope
        .operation("RandomIndexShuffle")
        .input(index)
        .input(seed)
        .input(maxIndex)
        .buildOutput();
  }

  /**
   * Reals as integers, rounded up or down at random so that their mean stays.
   *
   * @param key of the random stream, a vector of one uint64
   * @param counter of the random stream, a vector of two uint64
   * @param algorithm an int32 scalar: 1 for Philox
   * @param type int8, int16 or int32
   */
  public Output stochasticCast(
      Operand input, Operand key, Operand counter, Operand algorithm, DataType type) {
    return scope
        .operation("StochasticCastToInt")
        .input(input)
        .input(key)
        .input(counter)
        .input(algorithm)
        .attr("Tout", type)
        .buildOutput();
  }
}
