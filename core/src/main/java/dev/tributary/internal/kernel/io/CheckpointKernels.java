package dev.tributary.internal.kernel.io;

import dev.tributary.internal.bundle.BundleMerge;
import dev.tributary.internal.bundle.VariantForm;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.tensor.DataType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Factories of the kernels that save, restore and merge checkpoints. */
public final class CheckpointKernels {
  private CheckpointKernels() {}

  /** Writes all tensors into one new checkpoint. */
  public static Kernel save(KernelNode node, VariantForm variants) {
    return new FileKernel(node, context -> new SaveWork(context, variants));
  }

  /** Reads tensors from a checkpoint. */
  public static Kernel restore(KernelNode node, VariantForm variants) {
    List<DataType> types = node.outputTypes();
    return new FileKernel(
        node,
        context ->
            new RestoreWork(context, NamedTensors.of(context, types.size()), types, variants));
  }

  /**
   * Reads one tensor from a checkpoint of either version: {@code Restore}, {@code RestoreSlice}.
   */
  public static Kernel restoreSingle(KernelNode node) {
    List<DataType> types = node.outputTypes();
    return new FileKernel(
        node,
        context ->
            new RestoreWork(context, NamedTensors.ofSingle(context), types, VariantForm.NONE));
  }

  /** Writes whole tensors into a checkpoint of the first version: {@code Save}. */
  public static Kernel saveV1(KernelNode node) {
    return new FileKernel(
        node,
        context ->
            new V1SaveWork(context, NamedTensors.ofNames(context, context.inputCount() - 2), 2));
  }

  /** Writes slices into a checkpoint of the first version: {@code SaveSlices}. */
  public static Kernel saveSlicesV1(KernelNode node) {
    return new FileKernel(
        node,
        context -> new V1SaveWork(context, NamedTensors.of(context, context.inputCount() - 3), 3));
  }

  /** Reads a matrix whose rows and columns have moved: {@code LoadAndRemapMatrix}. */
  public static Kernel restoreRemapped(KernelNode node) {
    return new FileKernel(node, context -> new RemapWork(node, context));
  }

  /** Makes one checkpoint of several. */
  public static Kernel merge(KernelNode node) {
    boolean deleteFolders = node.attributes().bool("delete_old_dirs");
    boolean allowMissing = node.attributes().bool("allow_missing_files");
    return new FileKernel(
        node,
        context -> {
          FileRoot files = context.device().files();
          String[] parts = StringInputs.vector(context, 0, "checkpoint_prefixes");
          String destination = StringInputs.single(context, 1, "destination_prefix");
          return () -> {
            List<Path> prefixes = new ArrayList<>();
            for (String part : parts) {
              prefixes.add(files.resolve(part));
            }
            BundleMerge.run(
                files, prefixes, files.resolve(destination), deleteFolders, allowMissing);
            return call -> {};
          };
        });
  }
}
