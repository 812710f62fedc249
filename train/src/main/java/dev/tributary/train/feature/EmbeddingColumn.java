package dev.tributary.train.feature;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.tensor.Shape;
import dev.tributary.train.variable.Initializer;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.PartitionedVariable;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.VariableSpec;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A trained row of numbers for each category. Several categories of an example are combined. */
public final class EmbeddingColumn extends FeatureColumn {
  private final CategoricalColumn categories;
  private final Table table;

  /**
   * The table of rows.
   *
   * @param sharedName the name of a table that several columns share; empty for one of its own
   */
  private record Table(
      int dimension,
      Combiner combiner,
      Initializer initializer,
      OptionalDouble maxNorm,
      boolean trainable,
      Optional<String> sharedName) {}

  private EmbeddingColumn(CategoricalColumn categories, Table table) {
    super(categories.name() + (table.sharedName.isPresent() ? "_shared_embedding" : "_embedding"));
    if (table.dimension < 1) {
      throw TributaryException.invalidArgument(
          "'%s' needs rows of 1 number or more, got %d", name(), table.dimension);
    }
    this.categories = categories;
    this.table = table;
  }

  static EmbeddingColumn of(CategoricalColumn categories, int dimension) {
    return new EmbeddingColumn(categories, table(dimension, Optional.empty()));
  }

  static EmbeddingColumn shared(CategoricalColumn categories, int dimension, String sharedName) {
    return new EmbeddingColumn(categories, table(dimension, Optional.of(sharedName)));
  }

  private static Table table(int dimension, Optional<String> sharedName) {
    Initializer small = Initializers.truncatedNormal(0, 1 / Math.sqrt(dimension));
    return new Table(dimension, Combiner.MEAN, small, OptionalDouble.empty(), true, sharedName);
  }

  /** Returns a column that combines several categories in another way than by their mean. */
  public EmbeddingColumn withCombiner(Combiner combiner) {
    return new EmbeddingColumn(
        categories,
        new Table(
            table.dimension,
            combiner,
            table.initializer,
            table.maxNorm,
            table.trainable,
            table.sharedName));
  }

  /** Returns a column whose rows begin with other numbers than normally distributed ones. */
  public EmbeddingColumn withInitializer(Initializer initializer) {
    return new EmbeddingColumn(
        categories,
        new Table(
            table.dimension,
            table.combiner,
            initializer,
            table.maxNorm,
            table.trainable,
            table.sharedName));
  }

  /** Returns a column that scales rows down to this length. */
  public EmbeddingColumn withMaxNorm(double norm) {
    return new EmbeddingColumn(
        categories,
        new Table(
            table.dimension,
            table.combiner,
            table.initializer,
            OptionalDouble.of(norm),
            table.trainable,
            table.sharedName));
  }

  /** Returns a column whose rows stay as they are. */
  public EmbeddingColumn withoutTraining() {
    return new EmbeddingColumn(
        categories,
        new Table(
            table.dimension,
            table.combiner,
            table.initializer,
            table.maxNorm,
            false,
            table.sharedName));
  }

  @Override
  public FeatureSpec featureSpec() {
    return FeatureSpec.of(List.of(categories));
  }

  @Override
  Optional<Integer> denseSize() {
    return Optional.of(table.dimension);
  }

  @Override
  Output dense(VariableScope scope, ColumnInputs inputs) {
    String place = table.sharedName.map(FeatureColumn::scopeName).orElseGet(this::scopeName);
    VariableScope inner = scope.withAutoReuse().open(place);
    VariableSpec spec =
        VariableSpec.of("embedding_weights", Shape.of(categories.buckets(), table.dimension))
            .withInitializer(table.initializer);
    PartitionedVariable rows =
        inner.getPartitionedVariable(table.trainable ? spec : spec.withoutTraining());
    return new SparseLookup(rows, table.combiner, table.maxNorm)
        .rows(inner.tf(), inputs.ids(categories));
  }
}
