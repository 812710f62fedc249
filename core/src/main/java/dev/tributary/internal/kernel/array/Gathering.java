package dev.tributary.internal.kernel.array;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** The kernels of Gather, GatherV2 and GatherNd, and their shape arithmetic. */
public final class Gathering {
  private Gathering() {}

  /** The number of batch dimensions, which may be given counted from the end of the indices. */
  public static int batchDims(long batchDims, int indicesRank) {
    if (batchDims < -indicesRank || batchDims > indicesRank) {
      throw TributaryException.invalidArgument(
          "Expected batch_dims in the range [%d, %d], but got %d",
          -indicesRank, indicesRank, batchDims);
    }
    return (int) (batchDims < 0 ? batchDims + indicesRank : batchDims);
  }

  /**
   * The shape of what is gathered along an axis; params, indices and axis are of known rank and
   * resolved.
   */
  public static Shape gathered(Shape params, Shape indices, int axis, int batchDims) {
    if (batchDims > axis) {
      throw TributaryException.invalidArgument(
          "batch_dims (%d) must be less than or equal to axis (%d).", batchDims, axis);
    }
    if (!params.slice(0, batchDims).isCompatibleWith(indices.slice(0, batchDims))) {
      throw TributaryException.invalidArgument(
          "params of shape %s and indices of shape %s differ in the first %d dimensions",
          params, indices, batchDims);
    }
    return params
        .slice(0, batchDims)
        .merge(indices.slice(0, batchDims))
        .concatenate(params.slice(batchDims, axis))
        .concatenate(indices.slice(batchDims, indices.rank()))
        .concatenate(params.slice(axis + 1, params.rank()));
  }

  public static void gather(KernelContext context, long axis, long batchDims) {
    Tensor params = context.input(0);
    Tensor indices = context.input(1);
    Shape shape = params.shape();
    int at = Axes.resolve(axis, shape.rank());
    int batch = batchDims(batchDims, indices.rank());
    Tensor output = context.allocateOutput(0, gathered(shape, indices.shape(), at, batch));
    long batches = shape.slice(0, batch).elementCount();
    long outer = shape.slice(batch, at).elementCount();
    long limit = shape.size(at);
    long count = indices.shape().slice(batch, indices.rank()).elementCount();
    requireInRange(indices, limit);
    if (output.elementCount() == 0) {
      return;
    }
    RowMove move = new RowMove(params, output, Axes.inner(shape, at));
    long to = 0;
    for (long b = 0; b < batches; b++) {
      for (long o = 0; o < outer; o++) {
        long first = (b * outer + o) * limit;
        for (long i = 0; i < count; i++) {
          move.move(first + IndexTensors.at(indices, b * count + i), to++);
        }
      }
    }
  }

  private static void requireInRange(Tensor indices, long limit) {
    for (long i = 0; i < indices.elementCount(); i++) {
      long index = IndexTensors.at(indices, i);
      if (index < 0 || index >= limit) {
        throw TributaryException.invalidArgument(
            "indices%s = %d is not in [0, %d)",
            IndexTensors.coordinates(indices.shape(), i), index, limit);
      }
    }
  }

  /** The shape of what GatherNd gathers, or of the updates that ScatterNd takes. */
  public static Shape gatheredNd(Shape params, Shape indices) {
    if (indices.rank() < 1) {
      throw TributaryException.invalidArgument(
          "indices must be at least a vector, got shape %s", indices);
    }
    long depth = indices.size(-1);
    if (depth == Shape.UNKNOWN || !params.hasRank()) {
      return Shape.unknown();
    }
    if (depth > params.rank()) {
      throw TributaryException.invalidArgument(
          "index innermost dimension length must be <= params rank; saw: %d vs. %d",
          depth, params.rank());
    }
    return indices
        .slice(0, indices.rank() - 1)
        .concatenate(params.slice((int) depth, params.rank()));
  }

  /**
   * @param ignoreBad whether an index out of range gathers zeros rather than failing
   */
  public static void gatherNd(
      KernelContext context, Tensor params, Tensor indices, boolean ignoreBad) {
    if (params.rank() < 1) {
      throw TributaryException.invalidArgument("params must be at least a vector");
    }
    Shape shape = gatheredNd(params.shape(), indices.shape());
    NdIndices rows = new NdIndices(indices, params.shape());
    if (rows.count() > 0 && params.elementCount() == 0 && shape.elementCount() > 0) {
      throw TributaryException.invalidArgument(
          "Requested more than 0 entries, but params is empty.  Params shape: %s", params.shape());
    }
    Tensor output = context.allocateOutput(0, shape);
    if (ignoreBad) {
      Fill.zeros(output);
    }
    RowMove move = new RowMove(params, output, rows.rowLength());
    for (long i = 0; i < rows.count(); i++) {
      long row = rows.row(i);
      if (row >= 0) {
        move.move(row, i);
      } else if (!ignoreBad) {
        throw rows.bad(i, "param shape");
      }
    }
  }
}
