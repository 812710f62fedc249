package dev.tributary.train.model;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.tensor.Shape;
import dev.tributary.train.variable.EmbeddingLookup;
import dev.tributary.train.variable.EmbeddingLookup.Strategy;
import dev.tributary.train.variable.Initializer;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.Partitioner;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.VariableSpec;
import java.util.List;
import java.util.Optional;

/**
 * A row of a trained table for each of its integer inputs. Variable: {@code embeddings}, in parts
 * if there is a partitioner.
 */
public record Embedding(
    long vocabulary, long dimension, Initializer initializer, Optional<Partitioner> partitioner)
    implements Layer {
  public static Embedding of(long vocabulary, long dimension) {
    return new Embedding(
        vocabulary, dimension, Initializers.randomUniform(-0.05, 0.05), Optional.empty());
  }

  public Embedding withInitializer(Initializer newInitializer) {
    return new Embedding(vocabulary, dimension, newInitializer, partitioner);
  }

  /** Cuts the table along its rows. */
  public Embedding withPartitioner(Partitioner newPartitioner) {
    return new Embedding(vocabulary, dimension, initializer, Optional.of(newPartitioner));
  }

  @Override
  public Output apply(VariableScope scope, Operand ids) {
    VariableSpec table =
        VariableSpec.of("embeddings", Shape.of(vocabulary, dimension)).withInitializer(initializer);
    return partitioner.isPresent()
        ? scope.getPartitionedVariable(table, partitioner.get()).lookup(scope.tf(), ids)
        : EmbeddingLookup.of(scope.tf(), List.of(scope.getVariable(table)), ids, Strategy.DIV);
  }
}
