package dev.tributary.internal.kernel.io;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.bundle.CheckpointWriter;
import dev.tributary.internal.bundle.ShapeAndSlice;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The tensors of a save or restore op: each has a name and, if only a part is meant, which one.
 * Immutable.
 */
final class NamedTensors {
  private static final int NAMES = 1;
  private static final int SLICES = 2;

  private final String[] names;
  private final String[] slices;

  private NamedTensors(String[] names, String[] slices) {
    this.names = names;
    this.slices = slices;
  }

  /** Reads inputs 1 and 2 of an op with this many tensors. */
  static NamedTensors of(KernelContext context, int count) {
    String[] names = StringInputs.vector(context, NAMES, "tensor_names");
    String[] slices = StringInputs.vector(context, SLICES, "shape_and_slices");
    if (names.length != count || slices.length != count) {
      throw TributaryException.invalidArgument(
          "tensor_names and shape_and_slices must have one element for each of %d tensors, got %d"
              + " and %d",
          count, names.length, slices.length);
    }
    return new NamedTensors(names, slices);
  }

  /** Reads input 1 of an op that saves this many tensors as a whole. */
  static NamedTensors ofNames(KernelContext context, int count) {
    String[] names = StringInputs.vector(context, NAMES, "tensor_names");
    if (names.length != count) {
      throw TributaryException.invalidArgument(
          "tensor_names must have one element for each of %d tensors, got %d", count, names.length);
    }
    String[] whole = new String[count];
    Arrays.fill(whole, "");
    return new NamedTensors(names, whole);
  }

  /** Reads input 1, and input 2 if there is one, of an op with a single tensor. */
  static NamedTensors ofSingle(KernelContext context) {
    String name = StringInputs.single(context, NAMES, "tensor_name");
    String slice =
        context.inputCount() > SLICES
            ? StringInputs.single(context, SLICES, "shape_and_slice")
            : "";
    return new NamedTensors(new String[] {name}, new String[] {slice});
  }

  String name(int i) {
    return names[i];
  }

  /** The part of tensor {@code i} that is meant; nothing if it is all of it. */
  Optional<ShapeAndSlice> slice(int i) {
    return slices[i].isEmpty() ? Optional.empty() : Optional.of(ShapeAndSlice.parse(slices[i]));
  }

  /** Adds these tensors to a checkpoint, each under its name. */
  void addTo(CheckpointWriter writer, List<Tensor> tensors) {
    for (int i = 0; i < tensors.size(); i++) {
      Optional<ShapeAndSlice> slice = slice(i);
      if (slice.isPresent()) {
        writer.add(name(i), slice.get(), tensors.get(i));
      } else {
        writer.add(name(i), tensors.get(i));
      }
    }
  }

  /** The numbers of all tensors by name, which is the order in which files often hold them. */
  List<Integer> byName() {
    return IntStream.range(0, names.length)
        .boxed()
        .sorted(Comparator.comparing(i -> names[i]))
        .toList();
  }
}
