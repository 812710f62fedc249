package dev.tributary.train.feature;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.train.variable.VariableScope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * The first layer of a network: all columns side by side, in the alphabetical order of their names,
 * as TensorFlow's {@code input_layer} has them.
 *
 * <pre>{@code
 * Output inputs = InputLayer.of(scope.open("input_layer"), features, columns);
 * }</pre>
 *
 * <p>The scope needs a partitioner if there are embeddings.
 */
public final class InputLayer {
  private InputLayer() {}

  /** Builds the layer, [batch, all values]. Columns must be dense. */
  public static Output of(
      VariableScope scope, Features features, Collection<? extends FeatureColumn> columns) {
    ColumnInputs inputs = new ColumnInputs(scope.tf(), features);
    List<Output> parts = new ArrayList<>();
    for (FeatureColumn column : sorted("a network", columns)) {
      if (column.denseSize().isEmpty()) {
        throw TributaryException.invalidArgument(
            "a network takes no categorical column '%s'; put it into"
                + " FeatureColumns.indicator(...) or embedding(...)",
            column);
      }
      parts.add(column.dense(scope, inputs));
    }
    return parts.size() == 1 ? parts.get(0) : scope.tf().concat(1, parts);
  }

  /** Sorts columns by name, of which each may occur once. */
  static List<FeatureColumn> sorted(String user, Collection<? extends FeatureColumn> columns) {
    if (columns.isEmpty()) {
      throw TributaryException.invalidArgument("%s needs a feature column or more", user);
    }
    TreeMap<String, FeatureColumn> byName = new TreeMap<>(Comparator.naturalOrder());
    for (FeatureColumn column : columns) {
      if (byName.put(column.name(), column) != null) {
        throw TributaryException.invalidArgument(
            "two feature columns of %s have the name '%s'", user, column.name());
      }
    }
    return List.copyOf(byName.values());
  }
}
