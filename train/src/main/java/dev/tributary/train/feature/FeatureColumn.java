package dev.tributary.train.feature;

import dev.tributary.graph.Output;
import dev.tributary.train.variable.VariableScope;
import java.util.Optional;

/**
 * A description of how features become an input of a model. {@link FeatureColumns} makes all kinds.
 * Immutable; two columns of one model must have different names.
 */
public abstract sealed class FeatureColumn
    permits CategoricalColumn, NumericColumn, IndicatorColumn, EmbeddingColumn {
  private final String name;

  FeatureColumn(String name) {
    this.name = name;
  }

  /** Returns the name, which variables of the column are named after. */
  public final String name() {
    return name;
  }

  /** Returns the features that the column needs in {@code Example} messages. */
  public abstract FeatureSpec featureSpec();

  /** Returns the number of values for each example as an input of a network. */
  abstract Optional<Integer> denseSize();

  /**
   * Builds the input of a network, [batch, size]. Called only if there is a size.
   *
   * @param scope the place of the layer's variables
   */
  abstract Output dense(VariableScope scope, ColumnInputs inputs);

  /** Returns the name as variables and operations may have it. */
  final String scopeName() {
    return scopeName(name);
  }

  static String scopeName(String name) {
    String clean = name.replaceAll("[^A-Za-z0-9_.\\-/]", "_");
    return clean.matches("[A-Za-z0-9.].*") ? clean : "column" + clean;
  }

  @Override
  public String toString() {
    return name;
  }
}
