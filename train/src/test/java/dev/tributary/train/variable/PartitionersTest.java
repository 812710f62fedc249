package dev.tributary.train.variable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableSlice;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.testing.ModelRun;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionersTest {
  private static final Shape TABLE = Shape.of(1000, 64);

  @Test
  void fixedSize_moreThanRows_isAsManyAsRows() {
    assertThat(Partitioner.fixedSize(3, 0).partitions(TABLE, DataType.FLOAT)).containsExactly(3, 1);
    assertThat(Partitioner.fixedSize(8, 1).partitions(Shape.of(4, 5), DataType.FLOAT))
        .containsExactly(1, 5);
  }

  @Test
  void minMax_bySize_staysWithinBothLimits() {
    // 256,000 bytes.
    assertThat(Partitioner.minMax(10, 0, 100_000).partitions(TABLE, DataType.FLOAT))
        .containsExactly(3, 1);
    assertThat(Partitioner.minMax(2, 0, 100_000).partitions(TABLE, DataType.FLOAT))
        .containsExactly(2, 1);
    assertThat(Partitioner.minMax(10, 0, 1_000_000).partitions(TABLE, DataType.FLOAT))
        .containsExactly(1, 1);
  }

  @Test
  void variableAxisSize_bySize_keepsPartsBelowIt() {
    // 256 bytes a row: 390 rows in 100,000 bytes.
    assertThat(Partitioner.variableAxisSize(100_000, 0).partitions(TABLE, DataType.FLOAT))
        .containsExactly(3, 1);
    assertThat(Partitioner.variableAxisSize(100_000, 0, 2).partitions(TABLE, DataType.FLOAT))
        .containsExactly(2, 1);
    assertThat(Partitioner.variableAxisSize(1, 0).partitions(Shape.of(5, 2), DataType.FLOAT))
        .containsExactly(5, 1);
    assertThat(Partitioner.variableAxisSize(64, 0).partitions(Shape.of(9), DataType.STRING))
        .containsExactly(3);
  }

  @Test
  void partitioners_wrongAxis_isRefused() {
    assertThatThrownBy(() -> Partitioner.fixedSize(2, 2).partitions(TABLE, DataType.FLOAT))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("no axis 2");
  }

  @Test
  void slices_ofUnevenCut_areLongerAtTheFront() {
    List<VariableSlice> slices = new Partitions(1, 3).slices("w", Shape.of(2, 8));

    assertThat(slices).extracting(s -> s.shape().size(1)).containsExactly(3L, 3L, 2L);
    assertThat(slices)
        .extracting(VariableSlice::offset)
        .containsExactly(List.of(0L, 0L), List.of(0L, 3L), List.of(0L, 6L));
    assertThat(slices.get(2).spec()).isEqualTo("2 8 0,2:6,2");
  }

  @Test
  void partitions_alongTwoAxes_areRefused() {
    assertThatThrownBy(() -> Partitions.of(List.of(2, 2)))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("one axis only");
  }

  @Test
  void getPartitionedVariable_ofThree_namesAndJoinsItsParts() {
    Ops tf = Ops.create();
    VariableScope scope = VariableScope.of(tf).open("net");
    VariableSpec spec = VariableSpec.of("w", Shape.of(2, 8)).withInitializer(Initializers.ones());
    PartitionedVariable w = scope.getPartitionedVariable(spec, Partitioner.fixedSize(3, 1));
    var whole = w.value(tf);

    assertThat(w.parts())
        .extracting(Variable::name)
        .containsExactly("net/w/part_0", "net/w/part_1", "net/w/part_2");
    assertThat(w.parts().get(1).slice().orElseThrow().fullName()).isEqualTo("net/w");
    assertThat(whole.shape()).isEqualTo(Shape.of(2, 8));
    assertThat(Variables.trainable(tf.graph())).hasSize(3);
    assertThat(VariableScope.of(tf).prefix()).isEmpty();
    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(run.floats(whole)).hasSize(16).containsOnly(1);
    }
  }

  @Test
  void getPartitionedVariable_reused_isTheSame() {
    VariableScope scope =
        VariableScope.of(Ops.create()).withPartitioner(Partitioner.fixedSize(2, 0));
    VariableSpec spec = VariableSpec.of("w", Shape.of(4, 2));

    assertThat(scope.getPartitionedVariable(spec))
        .isSameAs(scope.withReuse().getPartitionedVariable(spec));
    assertThatThrownBy(() -> scope.withReuse().getVariable(spec))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("PartitionedVariable");
  }
}
