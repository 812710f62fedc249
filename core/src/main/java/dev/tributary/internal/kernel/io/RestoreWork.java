package dev.tributary.internal.kernel.io;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.bundle.BundleEntry;
import dev.tributary.internal.bundle.BundleReader;
import dev.tributary.internal.bundle.ShapeAndSlice;
import dev.tributary.internal.bundle.VariantForm;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Optional;

/** Reads the tensors of one call from a checkpoint. */
final class RestoreWork implements FileWork {
  private final FileRoot files;
  private final VariantForm variants;
  private final Allocator allocator;
  private final String prefix;
  private final NamedTensors names;
  private final List<DataType> types;

  /**
   * @param types those of the outputs
   */
  RestoreWork(
      KernelContext context, NamedTensors names, List<DataType> types, VariantForm variants) {
    this.variants = variants;
    files = context.device().files();
    allocator = context.allocator();
    this.names = names;
    prefix = StringInputs.single(context, 0, "prefix");
    this.types = types;
  }

  @Override
  public Outcome run() {
    Restored restored = new Restored(new Tensor[types.size()]);
    try (BundleReader reader = BundleReader.open(files, files.resolve(prefix), variants)) {
      for (int i : names.byName()) {
        restored.tensors[i] = read(reader, i);
      }
      return restored;
    } catch (RuntimeException | Error e) {
      restored.discard();
      throw e;
    }
  }

  private Tensor read(BundleReader reader, int i) {
    String name = names.name(i);
    BundleEntry entry = reader.entry(name);
    if (entry.type() != types.get(i)) {
      throw TributaryException.invalidArgument(
          "tensor_name = %s; expected dtype %s does not equal original dtype %s",
          name, types.get(i).lowerName(), entry.type().lowerName());
    }
    Optional<ShapeAndSlice> slice = names.slice(i);
    if (slice.isEmpty()) {
      return reader.read(allocator, name);
    }
    if (!slice.get().shape().equals(entry.shape())) {
      throw TributaryException.invalidArgument(
          "tensor_name = %s; shape in shape_and_slice spec %s does not match the shape stored in"
              + " checkpoint: %s",
          name, slice.get().shape(), entry.shape());
    }
    return reader.read(allocator, name, slice.get().slice());
  }

  private record Restored(Tensor[] tensors) implements Outcome {
    @Override
    public void deliver(KernelContext context) {
      for (int i = 0; i < tensors.length; i++) {
        context.setOutput(i, tensors[i]);
      }
    }

    @Override
    public void discard() {
      for (Tensor tensor : tensors) {
        if (tensor != null) {
          tensor.close();
        }
      }
    }
  }
}
