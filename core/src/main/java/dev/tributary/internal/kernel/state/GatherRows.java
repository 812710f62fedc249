package dev.tributary.internal.kernel.state;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.memory.Variant;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * Collects rows of a resource variable: {@code output[b, i, ...] = variable[b, indices[b, i], ...]}
 * for batch dimensions b.
 */
public final class GatherRows implements Kernel {
  private final DataType type;
  private final int batchDims;

  public GatherRows(KernelNode node) {
    type = node.attributes().type("dtype");
    batchDims = node.attributes().int32("batch_dims");
  }

  @Override
  public void compute(KernelContext context) {
    Tensor indices = context.input(1);
    try (Tensor params = VariableInput.RESOURCE.variable(context, 0, type).read()) {
      int axis = batchDims < 0 ? batchDims + indices.rank() : batchDims;
      requireShapes(params.shape(), indices.shape(), axis);
      RowIndices.requireInRange(indices, params.shape().size(axis));
      gather(
          context.device().backend().parallel(),
          params,
          indices,
          axis,
          context.allocateOutput(0, outputShape(params.shape(), indices.shape(), axis)));
    }
  }

  /** Infers the result's shape; {@code axis} is the number of batch dimensions. */
  public static Shape outputShape(Shape params, Shape indices, int axis) {
    return params
        .slice(0, axis)
        .concatenate(indices.slice(axis, indices.rank()))
        .concatenate(params.slice(axis + 1, params.rank()));
  }

  private void gather(
      ParallelFor parallel, Tensor params, Tensor indices, int axis, Tensor output) {
    long batches = params.shape().slice(0, axis).elementCount();
    long limit = params.shape().size(axis);
    long row = params.shape().slice(axis + 1, params.rank()).elementCount();
    long perBatch = batches == 0 ? 0 : indices.elementCount() / batches;
    if (type.isObject()) {
      gatherObjects(params.objects(), indices, perBatch, limit, (int) row, output.objects());
      return;
    }
    long bytes = row * type.size();
    parallel.range(
        batches * perBatch,
        RowIndices.rowsWorthSharing(bytes),
        (first, end) ->
            ScatteredRows.visit(
                first,
                end,
                bytes,
                (from, rows, count) -> {
                  RowIndices.read(indices, from, rows, count);
                  for (int i = 0; i < count; i++) {
                    long before = batches == 1 ? 0 : (from + i) / perBatch * limit;
                    rows[i] = params.storage().address() + (before + rows[i]) * bytes;
                  }
                },
                (from, rows, count) -> {
                  long to = output.storage().address() + from * bytes;
                  for (int i = 0; i < count; i++) {
                    Memory.copy(rows[i], to + i * bytes, bytes);
                  }
                }));
  }

  private static void gatherObjects(
      Object[] params, Tensor indices, long perBatch, long limit, int row, Object[] output) {
    for (int i = 0; i * row < output.length; i++) {
      long from = i / perBatch * limit + indices.getIndex(i);
      Variant.putAll(params, (int) from * row, output, i * row, row);
    }
  }

  private static void requireShapes(Shape params, Shape indices, int axis) {
    if (axis < 0 || axis > indices.rank() || axis >= params.rank()) {
      throw TributaryException.invalidArgument(
          "%d batch dimensions do not fit params of shape %s and indices of shape %s",
          axis, params, indices);
    }
    if (!params.slice(0, axis).equals(indices.slice(0, axis))) {
      throw TributaryException.invalidArgument(
          "params of shape %s and indices of shape %s differ in the first %d dimensions",
          params, indices, axis);
    }
  }
}
