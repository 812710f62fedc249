package dev.tributary.internal.kernel.comm;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * Finds the group of a device in a table with one row for each group: the group's size is that of
 * the row, its key that of the first group plus the number of the row.
 */
public final class AssignGroupKernel implements Kernel {
  @Override
  public void compute(KernelContext context) {
    Tensor groups = context.input(0);
    Shape shape = groups.shape();
    if (shape.rank() != 2) {
      throw TributaryException.invalidArgument(
          "group_assignment must be a matrix with a row for each group, got shape %s", shape);
    }
    int device = context.input(1).intValue();
    long[] devices = groups.toIndices();
    int columns = Math.toIntExact(shape.size(1));
    for (int i = 0; i < devices.length; i++) {
      if (devices[i] == device) {
        context.setOutput(0, Tensor.scalar(columns));
        context.setOutput(1, Tensor.scalar(context.input(2).intValue() + i / columns));
        return;
      }
    }
    throw TributaryException.invalidArgument(
        "device_index %d is in none of the %d groups of group_assignment", device, shape.size(0));
  }
}
