package dev.tributary.train.variable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.Shape;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.testing.ModelRun;
import dev.tributary.train.variable.EmbeddingLookup.Strategy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EmbeddingLookupTest {
  private final Ops tf = Ops.create();

  @ParameterizedTest(name = "{0} rows in {1} parts, {2}")
  @CsvSource({
    "10, 1, DIV", "10, 3, DIV", "9, 3, DIV", "11, 4, DIV", "2, 4, DIV",
    "10, 1, MOD", "10, 3, MOD", "9, 3, MOD", "11, 4, MOD", "4, 4, MOD"
  })
  void lookup_eachRow_isFoundWhereItIs(int rows, int parts, Strategy strategy) {
    List<Variable> table = table(rows, parts, strategy);
    int[] ids = new int[rows];
    for (int i = 0; i < rows; i++) {
      ids[i] = rows - 1 - i;
    }
    Output found = EmbeddingLookup.of(tf, table, tf.constant(ids), strategy);

    try (ModelRun run = ModelRun.initialized(tf)) {
      float[] values = run.floats(found);
      for (int i = 0; i < rows; i++) {
        assertThat(values[2 * i]).isEqualTo(ids[i]);
        assertThat(values[2 * i + 1]).isEqualTo(-ids[i]);
      }
    }
  }

  @Test
  void lookup_matrixOfIds_keepsTheirShape() {
    List<Variable> table = table(10, 3, Strategy.DIV);
    Output ids = tf.constant(Shape.of(2, 2), 9L, 0L, 5L, 5L);
    Output found = EmbeddingLookup.of(tf, table, ids, Strategy.DIV);

    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(run.shapeOf(found)).isEqualTo(Shape.of(2, 2, 2));
      assertThat(run.floats(found)).containsExactly(9, -9, 0, 0, 5, -5, 5, -5);
    }
  }

  @Test
  void lookup_trained_changesOnlyItsRows() {
    List<Variable> table = table(6, 2, Strategy.DIV);
    Output found = EmbeddingLookup.of(tf, table, tf.constant(4, 1, 4), Strategy.DIV);
    Output loss = tf.sum(found, 0, 1);
    List<Output> handles = table.stream().map(Variable::handle).toList();
    assertThat(Gradients.of(tf, List.of(loss), handles))
        .allMatch(gradient -> gradient instanceof IndexedSlices);
    Operation train = new GradientDescentOptimizer(0.5).minimize(tf, loss);

    try (ModelRun run = ModelRun.initialized(tf)) {
      run.run(train);
      assertThat(run.floats(table.get(0).value())).containsExactly(0, 0, 0.5f, -1.5f, 2, -2);
      assertThat(run.floats(table.get(1).value())).containsExactly(3, -3, 3, -5, 5, -5);
    }
  }

  /** Parts of a table whose row {@code i} is {@code [i, -i]}. */
  private List<Variable> table(int rows, int parts, Strategy strategy) {
    List<List<Float>> content = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      content.add(new ArrayList<>());
    }
    List<Integer> ends = new ArrayList<>();
    new Partitions(0, parts)
        .slices("t", Shape.of(rows, 2))
        .forEach(s -> ends.add((int) (s.offset().get(0) + s.shape().size(0))));
    for (int i = 0; i < rows; i++) {
      int part = 0;
      while (strategy == Strategy.DIV && i >= ends.get(part)) {
        part++;
      }
      content
          .get(strategy == Strategy.MOD ? i % parts : part)
          .addAll(List.of((float) i, (float) -i));
    }
    List<Variable> variables = new ArrayList<>();
    for (List<Float> part : content) {
      float[] values = new float[part.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = part.get(i);
      }
      variables.add(tf.variable("t", tf.constant(Shape.of(values.length / 2, 2), values)));
    }
    return variables;
  }
}
