package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.internal.kernel.data.StoreKernels;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.internal.wire.TensorProtos;
import java.util.List;

/** Datasets whose elements are saved in files, and those of saved elements. */
final class DatasetStoreOps {
  private static final StoreKernels KERNELS =
      new StoreKernels(TensorProtos::toBytes, TensorProtos::toTensor);

  private DatasetStoreOps() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        saving("SaveDataset")
            .attr("compression: string = ''")
            .attr("shard_func: func")
            .attr("use_shard_func: bool = true")
            .attr("Tshard_func_args: list(type) >= 0")
            .stateful()
            .shape(ShapeRules::unknown)
            .flag(OpFlag.CALLS_IN_KERNEL)
            .kernel(KERNELS::save)
            .notDifferentiable(),
        DatasetOps.elements(
                saving("SaveDatasetV2")
                    .output("handle: variant")
                    .attr("compression: string = ''")
                    .attr("shard_func: func")
                    .attr("use_shard_func: bool = true")
                    .attr("Tshard_func_args: list(type) >= 0"))
            .stateful()
            .shape(ShapeRules::scalar)
            .flag(OpFlag.CALLS_IN_KERNEL)
            .kernel(KERNELS::savedOnPass)
            .notDifferentiable(),
        DatasetOps.elements(
                op("LoadDataset")
                    .input("path: string")
                    .input("reader_func_other_args: Treader_func_args")
                    .output("handle: variant"))
            .attr("compression: string = ''")
            .attr("reader_func: func")
            .attr("Treader_func_args: list(type) >= 0")
            .stateful()
            .shape(ShapeRules::scalar)
            .flag(OpFlag.CALLS_IN_KERNEL)
            .kernel(KERNELS::load)
            .notDifferentiable(),
        DatasetOps.elements(
                op("SnapshotDatasetV2")
                    .input("input_dataset: variant")
                    .input("path: string")
                    .input("reader_func_other_args: Treader_func_args")
                    .input("shard_func_other_args: Tshard_func_args")
                    .output("handle: variant"))
            .attr("compression: string = ''")
            .attr("reader_prefix: string = ''")
            .attr("writer_prefix: string = ''")
            .attr("hash_valid: bool = false")
            .attr("hash: int = 0")
            .attr("reader_func: func")
            .attr("shard_func: func")
            .attr("Treader_func_args: list(type) >= 0")
            .attr("Tshard_func_args: list(type) >= 0")
            .attr(DatasetOps.METADATA)
            .shape(ShapeRules::scalar)
            .flag(OpFlag.CALLS_IN_KERNEL)
            .kernel(KERNELS::snapshot)
            .notDifferentiable());
  }

  private static Declaration saving(String name) {
    return op(name)
        .input("input_dataset: variant")
        .input("path: string")
        .input("shard_func_other_args: Tshard_func_args");
  }
}
