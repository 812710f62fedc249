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
 * The cell of a long short-term memory: one step forwards and back, float only. All matrices have a
 * row for each sequence of a batch; addresses are those of their first elements. Confined to one
 * call of a kernel.
 */
final class LstmCell implements AutoCloseable {
  /** The places of the results of a step: input gate, state, forget gate and so on. */
  record Step(long i, long cs, long f, long o, long ci, long co, long h) {}

  /** The values that a step starts with. */
  record Start(long x, long cs, long h) {}

  /**
   * The settings of a cell.
   *
   * @param forgetFirst whether the forget gate's columns come before the cell input's
   * @param peephole whether gates look at the state, by weights of their own
   * @param clip the greatest absolute value of a state, if positive
   */
  record Options(boolean forgetFirst, float forgetBias, float clip, boolean peephole) {}

  private final KernelContext context;
  private final Options options;
  private final int batch;
  private final int inputs;
  private final int cell;
  private final Tensor weights;
  private final float[] ofInput;
  private final float[] ofForget;
  private final float[] ofOutput;
  private final float[] bias;
  private final Tensor joined;
  private final Tensor gates;

  /**
   * @param x the shape of the input of a step
   * @param first the number of the kernel's input that holds the state before the first step;
   *     output before it, weights, the three of peepholes, and bias follow
   */
  LstmCell(KernelContext context, Options options, Shape x, int first) {
    this.context = context;
    this.options = options;
    Tensor b = context.input(first + 6);
    if (b.rank() != 1 || b.elementCount() % 4 != 0) {
      throw TributaryException.invalidArgument(
          "b must be a vector with four elements for each cell, got shape %s", b.shape());
    }
    this.batch = ArrayLength.of(x.size(0));
    this.inputs = ArrayLength.of(x.size(1));
    this.cell = ArrayLength.of(b.elementCount()) / 4;
    require(context, first, "cs_prev", Shape.of(batch, cell));
    require(context, first + 1, "h_prev", Shape.of(batch, cell));
    require(context, first + 2, "w", Shape.of(inputs + (long) cell, 4L * cell));
    require(context, first + 3, "wci", Shape.of(cell));
    require(context, first + 4, "wcf", Shape.of(cell));
    require(context, first + 5, "wco", Shape.of(cell));
    this.weights = context.input(first + 2);
    this.ofInput = context.input(first + 3).toFloats();
    this.ofForget = context.input(first + 4).toFloats();
    this.ofOutput = context.input(first + 5).toFloats();
    this.bias = b.toFloats();
    this.joined = context.allocate(DataType.FLOAT, Shape.of(batch, inputs + (long) cell));
    this.gates = context.allocate(DataType.FLOAT, Shape.of(batch, 4L * cell));
  }

  static void require(KernelContext context, int input, String what, Shape wanted) {
    if (!context.input(input).shape().equals(wanted)) {
      throw TributaryException.invalidArgument(
          "%s must have shape %s, got %s", what, wanted, context.input(input).shape());
    }
  }

  /** The shape of states and outputs. */
  Shape state() {
    return Shape.of(batch, cell);
  }

  /** The shape of what {@link #back} leaves. */
  Tensor gateGradients() {
    return gates;
  }

  void forward(Start start, Step to) {
    join(start);
    gemm(batch, 4L * cell, inputs + (long) cell, false, false, joined, weights, gates);
    int c = options.forgetFirst ? 2 * cell : cell;
    int f = options.forgetFirst ? cell : 2 * cell;
    for (int row = 0; row < batch; row++) {
      for (int k = 0; k < cell; k++) {
        long at = (long) row * cell + k;
        float before = get(start.cs, at);
        float peepI = options.peephole ? before * ofInput[k] : 0;
        float peepF = options.peephole ? before * ofForget[k] : 0;
        float i = sigmoid(gate(row, k) + peepI);
        float ci = (float) Math.tanh(gate(row, c + k));
        float forget = sigmoid(gate(row, f + k) + options.forgetBias + peepF);
        float cs = i * ci + forget * before;
        if (options.clip > 0) {
          cs = Math.max(-options.clip, Math.min(options.clip, cs));
        }
        float co = (float) Math.tanh(cs);
        float peepO = options.peephole ? cs * ofOutput[k] : 0;
        float o = sigmoid(gate(row, 3 * cell + k) + peepO);
        put(to.i, at, i);
        put(to.ci, at, ci);
        put(to.f, at, forget);
        put(to.cs, at, cs);
        put(to.co, at, co);
        put(to.o, at, o);
        put(to.h, at, o * co);
      }
    }
  }

  /**
   * Computes the gradients of the gates, see {@link #gateGradients}, and of the state before a step
   * from those of the state and the output after it.
   *
   * @param peepholes sums of the gradients of the three weights of peepholes
   */
  void back(
      Start start,
      Step step,
      long csGradient,
      long hGradient,
      long csPrevious,
      float[][] peepholes) {
    int c = options.forgetFirst ? 2 * cell : cell;
    int f = options.forgetFirst ? cell : 2 * cell;
    long to = gates.storage().address();
    for (int row = 0; row < batch; row++) {
      for (int k = 0; k < cell; k++) {
        long at = (long) row * cell + k;
        long first = (long) row * 4 * cell + k;
        float before = get(start.cs, at);
        float i = get(step.i, at);
        float ci = get(step.ci, at);
        float forget = get(step.f, at);
        float o = get(step.o, at);
        float co = get(step.co, at);
        float dh = get(hGradient, at);
        float ofO = o * (1 - o) * dh * co;
        float ofCs = (1 - co * co) * dh * o + get(csGradient, at);
        if (options.peephole) {
          ofCs += ofO * ofOutput[k];
        }
        float ofF = forget * (1 - forget) * ofCs * before;
        float ofI = i * (1 - i) * ofCs * ci;
        put(to, first, ofI);
        put(to, first + c, (1 - ci * ci) * ofCs * i);
        put(to, first + f, ofF);
        put(to, first + 3L * cell, ofO);
        float previous = ofCs * forget;
        if (options.peephole) {
          previous += ofI * ofInput[k] + ofF * ofForget[k];
          peepholes[0][k] += ofI * before;
          peepholes[1][k] += ofF * before;
          peepholes[2][k] += ofO * get(step.cs, at);
        }
        put(csPrevious, at, previous);
      }
    }
  }

  /** Adds to the gradients of weights and bias what {@link #back} says, for the same start. */
  void addTo(Start start, Tensor weightGradient, float[] biasGradient) {
    join(start);
    GemmGeometry geometry =
        GemmGeometry.of(DataType.FLOAT, inputs + (long) cell, 4L * cell, batch, true, false);
    context
        .device()
        .backend()
        .gemm(
            geometry.accumulating(),
            joined.storage().address(),
            gates.storage().address(),
            weightGradient.storage().address());
    for (int row = 0; row < batch; row++) {
      for (int k = 0; k < 4 * cell; k++) {
        biasGradient[k] += get(gates.storage().address(), (long) row * 4 * cell + k);
      }
    }
  }

  /** Writes the gradients of input and output before the step. */
  void spread(long xGradient, long hGradient) {
    gemm(batch, inputs + (long) cell, 4L * cell, false, true, gates, weights, joined);
    long from = joined.storage().address();
    for (int row = 0; row < batch; row++) {
      long line = from + (long) row * (inputs + cell) * Float.BYTES;
      Memory.copy(line, xGradient + (long) row * inputs * Float.BYTES, (long) inputs * Float.BYTES);
      Memory.copy(
          line + (long) inputs * Float.BYTES,
          hGradient + (long) row * cell * Float.BYTES,
          (long) cell * Float.BYTES);
    }
  }

  private void join(Start start) {
    long to = joined.storage().address();
    for (int row = 0; row < batch; row++) {
      long line = to + (long) row * (inputs + cell) * Float.BYTES;
      Memory.copy(start.x + (long) row * inputs * Float.BYTES, line, (long) inputs * Float.BYTES);
      Memory.copy(
          start.h + (long) row * cell * Float.BYTES,
          line + (long) inputs * Float.BYTES,
          (long) cell * Float.BYTES);
    }
  }

  private void gemm(
      long m,
      long n,
      long k,
      boolean transposeA,
      boolean transposeB,
      Tensor a,
      Tensor b,
      Tensor c) {
    if (c.elementCount() > 0) {
      context
          .device()
          .backend()
          .gemm(
              GemmGeometry.of(DataType.FLOAT, m, n, k, transposeA, transposeB),
              a.storage().address(),
              b.storage().address(),
              c.storage().address());
    }
  }

  private float gate(int row, int column) {
    return get(gates.storage().address(), (long) row * 4 * cell + column) + bias[column];
  }

  static float sigmoid(float x) {
    return (float) (1 / (1 + Math.exp(-x)));
  }

  private static float get(long address, long i) {
    return Memory.getFloat(address + i * Float.BYTES);
  }

  private static void put(long address, long i, float value) {
    Memory.putFloat(address + i * Float.BYTES, value);
  }

  @Override
  public void close() {
    joined.close();
    gates.close();
  }
}
