package dev.tributary.train.feature;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.PartitionedVariable;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.VariableSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A linear model of all columns and a bias, whose weights begin with zero: TensorFlow's {@code
 * linear_model}. Immutable.
 *
 * <pre>{@code
 * Output logits = LinearModel.of(1).apply(scope.open("linear_model"), features, columns);
 * }</pre>
 *
 * @param units the number of results for each example
 * @param combiner the way in which several categories of a column are combined
 */
public record LinearModel(int units, Combiner combiner) {
  public static LinearModel of(int units) {
    return new LinearModel(units, Combiner.SUM);
  }

  public LinearModel withCombiner(Combiner newCombiner) {
    return new LinearModel(units, newCombiner);
  }

  /** Builds the model, [batch, units]. The scope needs a partitioner. */
  public Output apply(
      VariableScope scope, Features features, Collection<? extends FeatureColumn> columns) {
    ColumnInputs inputs = new ColumnInputs(scope.tf(), features);
    List<Output> sums = new ArrayList<>();
    for (FeatureColumn column : InputLayer.sorted("a linear model", columns)) {
      sums.add(weightedSum(scope.open(column.scopeName()), column, inputs));
    }
    Ops tf = scope.tf();
    Output sum = sums.size() == 1 ? sums.get(0) : tf.withName("weighted_sum_no_bias").addN(sums);
    PartitionedVariable bias = variable(scope, "bias_weights", Shape.of(units));
    return tf.withName("weighted_sum").biasAdd(sum, bias.value(tf));
  }

  private Output weightedSum(VariableScope scope, FeatureColumn column, ColumnInputs inputs) {
    Ops tf = scope.tf();
    if (column instanceof CategoricalColumn categories) {
      PartitionedVariable weights =
          variable(scope, "weights", Shape.of(categories.buckets(), units));
      return new SparseLookup(weights, combiner, OptionalDouble.empty())
          .rows(tf, inputs.ids(categories));
    }
    Output values = column.dense(scope, inputs);
    PartitionedVariable weights =
        variable(scope, "weights", Shape.of(column.denseSize().get(), units));
    return tf.matMul(values, weights.value(tf));
  }

  private static PartitionedVariable variable(VariableScope scope, String name, Shape shape) {
    return scope.getPartitionedVariable(
        VariableSpec.of(name, shape).withInitializer(Initializers.zeros()));
  }
}
