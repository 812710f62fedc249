package dev.tributary.internal.kernel.io;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.bundle.BundleEntry;
import dev.tributary.internal.bundle.BundleReader;
import dev.tributary.internal.bundle.TensorSlice;
import dev.tributary.internal.bundle.VariantForm;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.HashMap;
import java.util.Map;

/**
 * Loads a matrix of a checkpoint with its rows and columns in another order, as a model needs it
 * that goes on from one with another vocabulary: {@code LoadAndRemapMatrix}. Cells of new rows and
 * columns have given values.
 */
final class RemapWork implements FileWork {
  private final FileRoot files;
  private final Allocator allocator;
  private final String prefix;
  private final String name;
  private final long[] rows;
  private final long[] columns;
  private final Tensor newValues;
  private final long rowsAtOnce;
  private final Shape shape;

  RemapWork(KernelNode node, KernelContext context) {
    Attributes attributes = node.attributes();
    files = context.device().files();
    allocator = context.allocator();
    prefix = StringInputs.single(context, 0, "ckpt_path");
    name = StringInputs.single(context, 1, "old_tensor_name");
    rows = IndexTensors.vector(context.input(2), "row_remapping");
    columns = IndexTensors.vector(context.input(3), "col_remapping");
    shape = Shape.of(attributes.integer("num_rows"), attributes.integer("num_cols"));
    long most = attributes.integer("max_rows_in_memory");
    rowsAtOnce = most <= 0 ? Long.MAX_VALUE : most;
    if (rows.length != shape.size(0)) {
      throw TributaryException.invalidArgument(
          "Size of row_remapping is %d instead of being equal to num_rows=%d",
          rows.length, shape.size(0));
    }
    if (columns.length > 0 && columns.length != shape.size(1)) {
      throw TributaryException.invalidArgument(
          "Provided col_remapping, but its size is %d instead of being equal to num_cols=%d",
          columns.length, shape.size(1));
    }
    newValues = context.input(4).retain();
  }

  @Override
  public Outcome run() {
    requireNewValues();
    try (BundleReader reader = BundleReader.open(files, files.resolve(prefix), VariantForm.NONE)) {
      BundleEntry entry = reader.entry(name);
      requireMatrix(entry);
      Tensor output = SharedTensors.allocate(allocator, DataType.FLOAT, shape);
      try {
        load(reader, entry, output);
        putNewValues(output);
      } catch (RuntimeException | Error e) {
        output.close();
        throw e;
      }
      return new Remapped(output);
    }
  }

  private void load(BundleReader reader, BundleEntry entry, Tensor output) {
    Map<Long, Integer> newRows = inverted(rows);
    Map<Long, Integer> newColumns = inverted(columns);
    long first = Long.MAX_VALUE;
    long last = -1;
    for (long row : newRows.keySet()) {
      first = Math.min(first, row);
      last = Math.max(last, row);
    }
    if (last >= entry.shape().size(0)) {
      throw TributaryException.invalidArgument(
          "row_remapping names row %d of tensor %s, whose shape is %s", last, name, entry.shape());
    }
    long width = entry.shape().size(1);
    while (first <= last) {
      long count = Math.min(rowsAtOnce, last - first + 1);
      TensorSlice slice = TensorSlice.of(new long[] {first, 0}, new long[] {count, -1});
      try (Tensor part = reader.read(allocator, name, slice)) {
        for (long row = 0; row < count; row++) {
          Integer to = newRows.get(first + row);
          if (to != null) {
            copyRow(part, row * width, width, newColumns, output, to * shape.size(1));
          }
        }
      }
      first += count;
    }
  }

  private void requireMatrix(BundleEntry entry) {
    if (entry.type() != DataType.FLOAT) {
      throw TributaryException.invalidArgument(
          "Tensor %s has invalid type %s instead of expected type float",
          name, entry.type().lowerName());
    }
    if (entry.shape().rank() != 2) {
      throw TributaryException.invalidArgument(
          "Tensor %s has shape %s of invalid rank %d instead of expected shape of rank 2",
          name, entry.shape(), entry.shape().rank());
    }
    if (columns.length == 0 && entry.shape().size(1) != shape.size(1)) {
      throw TributaryException.invalidArgument(
          "Tensor %s has shape %s, where the size of its 2nd dimension is %d instead of being equal"
              + " to num_cols=%d",
          name, entry.shape(), entry.shape().size(1), shape.size(1));
    }
  }

  private void copyRow(
      Tensor part, long from, long width, Map<Long, Integer> newColumns, Tensor output, long to) {
    for (long column = 0; column < width; column++) {
      Integer target = columns.length == 0 ? Integer.valueOf((int) column) : newColumns.get(column);
      if (target != null) {
        put(output, to + target, part.getFloat(from + column));
      }
    }
  }

  private void requireNewValues() {
    long kept = kept(rows) * (columns.length == 0 ? shape.size(1) : kept(columns));
    long missing = shape.elementCount() - kept;
    if (newValues.elementCount() != missing) {
      throw TributaryException.invalidArgument(
          "initializing_values contained %d elements, but %d values are missing",
          newValues.elementCount(), missing);
    }
  }

  private void putNewValues(Tensor output) {
    long next = 0;
    for (int row = 0; row < rows.length; row++) {
      for (long column = 0; column < shape.size(1); column++) {
        boolean isOld = rows[row] >= 0 && (columns.length == 0 || columns[(int) column] >= 0);
        if (!isOld) {
          put(output, row * shape.size(1) + column, newValues.getFloat(next++));
        }
      }
    }
  }

  private static void put(Tensor tensor, long i, float value) {
    Memory.putFloat(tensor.storage().address() + Float.BYTES * i, value);
  }

  private static long kept(long[] remapping) {
    long kept = 0;
    for (long old : remapping) {
      kept += old < 0 ? 0 : 1;
    }
    return kept;
  }

  /** The new place of each old one. */
  private static Map<Long, Integer> inverted(long[] remapping) {
    Map<Long, Integer> places = new HashMap<>();
    for (int i = 0; i < remapping.length; i++) {
      Integer other = remapping[i] < 0 ? null : places.putIfAbsent(remapping[i], i);
      if (other != null) {
        throw TributaryException.unimplemented(
            "Old ID %d is mapped to both new ID %d and %d, which is not supported.",
            remapping[i], other, i);
      }
    }
    return places;
  }

  @Override
  public void close() {
    newValues.close();
  }

  private record Remapped(Tensor matrix) implements Outcome {
    @Override
    public void deliver(KernelContext context) {
      context.setOutput(0, matrix);
    }

    @Override
    public void discard() {
      matrix.close();
    }
  }
}
