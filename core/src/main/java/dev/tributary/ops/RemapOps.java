package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.io.CheckpointKernels;
import dev.tributary.internal.kernel.lookup.VocabularyRemapping;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Ops for a model that continues from the variables of one with another vocabulary. */
abstract sealed class RemapOps extends MessageOps permits IoOps {
  RemapOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("GenerateVocabRemapping")
            .input("new_vocab_file: string")
            .input("old_vocab_file: string")
            .output("remapping: int64")
            .output("num_present: int32")
            .attr("new_vocab_offset: int >= 0")
            .attr("num_new_vocab: int >= 0")
            .attr("old_vocab_size: int >= -1 = -1")
            .shape(
                c -> {
                  c.withRank(0, 0);
                  c.withRank(1, 0);
                  c.output(0, Shape.of(c.attributes().integer("num_new_vocab")));
                  c.output(1, Shape.scalar());
                })
            .kernel(VocabularyRemapping::kernel)
            .notDifferentiable(),
        op("LoadAndRemapMatrix")
            .input("ckpt_path: string")
            .input("old_tensor_name: string")
            .input("row_remapping: int64")
            .input("col_remapping: int64")
            .input("initializing_values: float")
            .output("output_matrix: float")
            .attr("num_rows: int >= 0")
            .attr("num_cols: int >= 1")
            .attr("max_rows_in_memory: int = -1")
            .stateful()
            .shape(
                c -> {
                  c.withRank(2, 1);
                  c.output(
                      0,
                      Shape.of(
                          c.attributes().integer("num_rows"), c.attributes().integer("num_cols")));
                })
            .kernel(CheckpointKernels::restoreRemapped)
            .notDifferentiable());
  }

  /**
   * For each of some lines of a new vocabulary file, the number of the same line in an old one, or
   * -1 (0), and how many were found (1).
   *
   * @param offset the first line of the new file
   * @param count the number of lines
   */
  public List<Output> generateVocabRemapping(
      Operand newFile, Operand oldFile, long offset, long count) {
    Operation remapping =
        scope
            .operation("GenerateVocabRemapping")
            .input(newFile)
            .input(oldFile)
            .attr("new_vocab_offset", offset)
            .attr("num_new_vocab", count)
            .build();
    return remapping.outputs();
  }

  /**
   * A matrix of a checkpoint whose rows and columns have moved.
   *
   * @param rows the old row of each new one, or -1
   * @param columns the old column of each new one, or -1; empty if columns stay
   * @param values for the cells of rows and columns that are new, row by row
   * @param shape that of the new matrix
   */
  public Output loadAndRemapMatrix(
      Operand prefix, Operand name, Operand rows, Operand columns, Operand values, Shape shape) {
    return scope
        .operation("LoadAndRemapMatrix")
        .input(prefix)
        .input(name)
        .input(rows)
        .input(columns)
        .input(values)
        .attr("num_rows", shape.size(0))
        .attr("num_cols", shape.size(1))
        .buildOutput();
  }
}
