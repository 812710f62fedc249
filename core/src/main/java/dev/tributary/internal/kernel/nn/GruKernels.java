package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.GemmGeometry;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The kernels of GRUBlockCell and its gradient. A cell has a gate that resets its output before the
 * candidate is made, and one that updates it by the candidate.
 */
public final class GruKernels {
  private final KernelContext context;
  private final int batch;
  private final int inputs;
  private final int cell;
  private final Tensor x;
  private final Tensor previous;

  private GruKernels(KernelContext context) {
    this.context = context;
    this.x = context.input(0);
    this.previous = context.input(1);
    if (x.rank() != 2 || previous.rank() != 2) {
      throw TributaryException.invalidArgument(
          "x and h_prev must be matrices, got shapes %s and %s", x.shape(), previous.shape());
    }
    this.batch = ArrayLength.of(x.shape().size(0));
    this.inputs = ArrayLength.of(x.shape().size(1));
    this.cell = ArrayLength.of(previous.shape().size(1));
    long joined = inputs + (long) cell;
    LstmCell.require(context, 1, "h_prev", Shape.of(batch, cell));
    LstmCell.require(context, 2, "w_ru", Shape.of(joined, 2L * cell));
    LstmCell.require(context, 3, "w_c", Shape.of(joined, cell));
    LstmCell.require(context, 4, "b_ru", Shape.of(2L * cell));
    LstmCell.require(context, 5, "b_c", Shape.of(cell));
  }

  /** Inputs: input, output before, weights of the gates and the candidate, their biases. */
  public static void forward(KernelContext context) {
    new GruKernels(context).forward();
  }

  /**
   * Inputs: those of {@link #forward}, its outputs but the last, gradient of the output. Outputs:
   * gradients of input, output before, candidate and gates.
   */
  public static void gradient(KernelContext context) {
    GruKernels kernel = new GruKernels(context);
    for (int i = 6; i < 10; i++) {
      LstmCell.require(context, i, "input " + i, Shape.of(kernel.batch, kernel.cell));
    }
    kernel.back();
  }

  private void forward() {
    Shape state = Shape.of(batch, cell);
    Tensor r = context.allocateOutput(0, state);
    Tensor u = context.allocateOutput(1, state);
    Tensor c = context.allocateOutput(2, state);
    Tensor h = context.allocateOutput(3, state);
    float[] gateBias = context.input(4).toFloats();
    float[] bias = context.input(5).toFloats();
    try (Tensor joined = matrix(inputs + cell);
        Tensor gates = matrix(2 * cell)) {
      for (int row = 0; row < batch; row++) {
        for (int k = 0; k < inputs; k++) {
          put(joined, row, k, get(x, row, k));
        }
        for (int k = 0; k < cell; k++) {
          put(joined, row, inputs + k, get(previous, row, k));
        }
      }
      gemm(joined, context.input(2), gates, false);
      for (int row = 0; row < batch; row++) {
        for (int k = 0; k < cell; k++) {
          put(r, row, k, LstmCell.sigmoid(get(gates, row, k) + gateBias[k]));
          put(u, row, k, LstmCell.sigmoid(get(gates, row, cell + k) + gateBias[cell + k]));
          put(joined, row, inputs + k, get(previous, row, k) * get(r, row, k));
        }
      }
      gemm(joined, context.input(3), c, false);
    }
    for (int row = 0; row < batch; row++) {
      for (int k = 0; k < cell; k++) {
        float candidate = (float) Math.tanh(get(c, row, k) + bias[k]);
        put(c, row, k, candidate);
        put(h, row, k, get(u, row, k) * (get(previous, row, k) - candidate) + candidate);
      }
    }
  }

  private void back() {
    Tensor r = context.input(6);
    Tensor u = context.input(7);
    Tensor c = context.input(8);
    Tensor dy = context.input(9);
    Tensor ofX = context.allocateOutput(0, x.shape());
    Tensor ofPrevious = context.allocateOutput(1, previous.shape());
    Tensor ofCandidate = context.allocateOutput(2, previous.shape());
    Tensor ofGates = context.allocateOutput(3, Shape.of(batch, 2L * cell));
    try (Tensor byGates = matrix(inputs + cell);
        Tensor byCandidate = matrix(inputs + cell)) {
      for (int row = 0; row < batch; row++) {
        for (int k = 0; k < cell; k++) {
          float update = get(u, row, k);
          float candidate = get(c, row, k);
          float gradient = get(dy, row, k);
          put(ofCandidate, row, k, gradient * (1 - update) * (1 - candidate * candidate));
          float change = gradient * (get(previous, row, k) - candidate);
          put(ofGates, row, cell + k, change * update * (1 - update));
        }
      }
      gemm(ofCandidate, context.input(3), byCandidate, true);
      for (int row = 0; row < batch; row++) {
        for (int k = 0; k < cell; k++) {
          float reset = get(r, row, k);
          float gradient = get(byCandidate, row, inputs + k) * get(previous, row, k);
          put(ofGates, row, k, gradient * reset * (1 - reset));
        }
      }
      gemm(ofGates, context.input(2), byGates, true);
      for (int row = 0; row < batch; row++) {
        for (int k = 0; k < inputs; k++) {
          put(ofX, row, k, get(byGates, row, k) + get(byCandidate, row, k));
        }
        for (int k = 0; k < cell; k++) {
          float reset = get(byCandidate, row, inputs + k) * get(r, row, k);
          float kept = get(dy, row, k) * get(u, row, k);
          put(ofPrevious, row, k, get(byGates, row, inputs + k) + reset + kept);
        }
      }
    }
  }

  private Tensor matrix(int columns) {
    return context.allocate(DataType.FLOAT, Shape.of(batch, columns));
  }

  private void gemm(Tensor a, Tensor weights, Tensor to, boolean transposed) {
    if (to.elementCount() > 0) {
      context
          .device()
          .backend()
          .gemm(
              GemmGeometry.of(
                  DataType.FLOAT, batch, to.shape().size(1), a.shape().size(1), false, transposed),
              a.storage().address(),
              weights.storage().address(),
              to.storage().address());
    }
  }

  private static float get(Tensor matrix, int row, int column) {
    return Memory.getFloat(address(matrix, row, column));
  }

  private static void put(Tensor matrix, int row, int column, float value) {
    Memory.putFloat(address(matrix, row, column), value);
  }

  private static long address(Tensor matrix, int row, int column) {
    return matrix.storage().address() + (row * matrix.shape().size(1) + column) * Float.BYTES;
  }
}
