package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.InferenceContext;
import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.OpFlag;
import dev.tributary.graph.ShapeRules;
import dev.tributary.kernel.io.CheckpointKernels;
import dev.tributary.kernel.io.FileKernels;
import dev.tributary.tensor.Shape;
import java.util.List;

/** The ops on checkpoints, whole files and their names. */
final class FileDeclarations {
  private FileDeclarations() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        op("SaveV2")
            .input("prefix: string")
            .input("tensor_names: string")
            .input("shape_and_slices: string")
            .input("tensors: dtypes")
            .attr("dtypes: list(type) >= 1")
            .stateful()
            .shape(FileDeclarations::requireVectors)
            .kernel(CheckpointKernels::save)
            .notDifferentiable(),
        op("RestoreV2")
            .input("prefix: string")
            .input("tensor_names: string")
            .input("shape_and_slices: string")
            .output("tensors: dtypes")
            .attr("dtypes: list(type) >= 1")
            .stateful()
            .shape(FileDeclarations::requireVectors)
            .kernel(CheckpointKernels::restore)
            .notDifferentiable(),
        op("MergeV2Checkpoints")
            .input("checkpoint_prefixes: string")
            .input("destination_prefix: string")
            .attr("delete_old_dirs: bool = true")
            .attr("allow_missing_files: bool = false")
            .stateful()
            .shape(
                c -> {
                  c.withRank(0, 1);
                  c.withRank(1, 0);
                })
            .kernel(CheckpointKernels::merge)
            .notDifferentiable(),
        op("ShardedFilename")
            .input("basename: string")
            .input("shard: int32")
            .input("num_shards: int32")
            .output("filename: string")
            .shape(ShapeRules::scalar)
            .kernel(node -> FileKernels::shardedFilename)
            .notDifferentiable(),
        op("ShardedFilespec")
            .input("basename: string")
            .input("num_shards: int32")
            .output("filename: string")
            .shape(ShapeRules::scalar)
            .kernel(node -> FileKernels::shardedFilespec)
            .notDifferentiable(),
        op("ReadFile")
            .input("filename: string")
            .output("contents: string")
            .shape(FileDeclarations::scalars)
            .kernel(node -> FileKernels::read)
            .flag(OpFlag.NOT_FOLDABLE)
            .notDifferentiable(),
        op("WriteFile")
            .input("filename: string")
            .input("contents: string")
            .stateful()
            .shape(FileDeclarations::scalars)
            .kernel(node -> FileKernels::write)
            .notDifferentiable(),
        op("MatchingFiles")
            .input("pattern: string")
            .output("filenames: string")
            .shape(c -> c.output(0, Shape.ofRank(1)))
            .kernel(node -> FileKernels::matching)
            .flag(OpFlag.NOT_FOLDABLE)
            .notDifferentiable());
  }

  /** The prefix is a scalar, names and slices are vectors of one length. */
  private static void requireVectors(InferenceContext context) {
    context.withRank(0, 0);
    context.withRank(1, 1);
    context.withRank(2, 1);
    context.merged(1, 2);
  }

  private static void scalars(InferenceContext context) {
    for (int i = 0; i < context.inputCount(); i++) {
      context.withRank(i, 0);
    }
    ShapeRules.scalar(context);
  }
}
