package dev.tributary.kernel.io;

import dev.tributary.bundle.BundleEntry;
import dev.tributary.bundle.BundleMerge;
import dev.tributary.bundle.BundleReader;
import dev.tributary.bundle.BundleWriter;
import dev.tributary.bundle.ShapeAndSlice;
import dev.tributary.error.TributaryException;
import dev.tributary.file.FileRoot;
import dev.tributary.kernel.Kernel;
import dev.tributary.kernel.KernelContext;
import dev.tributary.kernel.KernelNode;
import dev.tributary.tensor.Tensor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Factories of the kernels that save, restore and merge checkpoints. */
public final class CheckpointKernels {
  private static final int PREFIX = 0;
  private static final int FIRST_TENSOR = 3;

  private CheckpointKernels() {}

  /** Writes all tensors into one new checkpoint. */
  public static Kernel save(KernelNode node) {
    return new DiskKernel("tributary-save", CheckpointKernels::save);
  }

  private static void save(KernelContext context) {
    int count = context.inputCount() - FIRST_TENSOR;
    NamedTensors tensors = NamedTensors.of(context, count);
    Path prefix = StringInputs.file(context, PREFIX, "prefix");
    try (BundleWriter writer = BundleWriter.create(prefix, BackgroundPace.of(context))) {
      for (int i = 0; i < count; i++) {
        Tensor tensor = context.input(FIRST_TENSOR + i);
        Optional<ShapeAndSlice> slice = tensors.slice(i);
        if (slice.isPresent()) {
          writer.add(tensors.name(i), slice.get(), tensor);
        } else {
          writer.add(tensors.name(i), tensor);
        }
      }
      writer.finish();
    }
  }

  /** Reads tensors from a checkpoint. */
  public static Kernel restore(KernelNode node) {
    int count = node.outputTypes().size();
    return new DiskKernel("tributary-restore", c -> restore(c, count));
  }

  private static void restore(KernelContext context, int count) {
    NamedTensors tensors = NamedTensors.of(context, count);
    Path prefix = StringInputs.file(context, PREFIX, "prefix");
    try (BundleReader reader = BundleReader.open(prefix)) {
      for (int i : tensors.byName()) {
        context.setOutput(i, restored(context, i, reader, tensors));
      }
    }
  }

  private static Tensor restored(
      KernelContext context, int i, BundleReader reader, NamedTensors tensors) {
    String name = tensors.name(i);
    BundleEntry entry = reader.entry(name);
    if (entry.type() != context.outputType(i)) {
      throw TributaryException.invalidArgument(
          "tensor_name = %s; expected dtype %s does not equal original dtype %s",
          name, context.outputType(i).lowerName(), entry.type().lowerName());
    }
    Optional<ShapeAndSlice> slice = tensors.slice(i);
    if (slice.isEmpty()) {
      return reader.read(context.allocator(), name);
    }
    if (!slice.get().shape().equals(entry.shape())) {
      throw TributaryException.invalidArgument(
          "tensor_name = %s; shape in shape_and_slice spec %s does not match the shape stored in"
              + " checkpoint: %s",
          name, slice.get().shape(), entry.shape());
    }
    return reader.read(context.allocator(), name, slice.get().slice());
  }

  /** Makes one checkpoint of several. */
  public static Kernel merge(KernelNode node) {
    boolean deleteFolders = node.attributes().bool("delete_old_dirs");
    boolean allowMissing = node.attributes().bool("allow_missing_files");
    return new DiskKernel("tributary-merge", c -> merge(c, deleteFolders, allowMissing));
  }

  private static void merge(KernelContext context, boolean deleteFolders, boolean allowMissing) {
    FileRoot files = context.device().files();
    List<Path> prefixes = new ArrayList<>();
    for (String prefix : StringInputs.vector(context, 0, "checkpoint_prefixes")) {
      prefixes.add(files.resolve(prefix));
    }
    Path destination = StringInputs.file(context, 1, "destination_prefix");
    BundleMerge.run(prefixes, destination, deleteFolders, allowMissing);
  }
}
