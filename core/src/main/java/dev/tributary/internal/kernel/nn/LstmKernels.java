package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.memory.Memory;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** The kernels of LSTMBlockCell, of BlockLSTM in both versions, and of their gradients. */
public final class LstmKernels {
  private static final String[] STEP = {"i", "cs", "f", "o", "ci", "co", "h"};

  private LstmKernels() {}

  /** Inputs: input, state, output, weights, three weights of peepholes, bias. */
  public static Kernel cell(KernelNode node) {
    LstmCell.Options options = options(node, false);
    return context -> {
      Shape x = require(context.input(0), "x", 2);
      try (LstmCell cell = new LstmCell(context, options, x, 1)) {
        Tensor[] outputs = allocate(context, cell.state());
        cell.forward(start(context, 0), step(outputs, 0));
      }
    };
  }

  /**
   * Inputs: those of {@link #cell}, its outputs but the last, gradients of state and output.
   * Outputs: gradients of the state before, of the gates, and of the weights of peepholes.
   */
  public static Kernel cellGradient(KernelNode node) {
    LstmCell.Options options = options(node, false);
    return context -> {
      Shape x = require(context.input(0), "x", 2);
      try (LstmCell cell = new LstmCell(context, options, x, 1)) {
        for (int i = 8; i < 16; i++) {
          LstmCell.require(context, i, "input " + i, cell.state());
        }
        Tensor ofState = context.allocateOutput(0, cell.state());
        float[][] peepholes = new float[3][(int) cell.state().size(1)];
        LstmCell.Step step =
            new LstmCell.Step(
                address(context, 8),
                address(context, 9),
                address(context, 10),
                address(context, 11),
                address(context, 12),
                address(context, 13),
                0);
        cell.back(
            start(context, 0),
            step,
            address(context, 14),
            address(context, 15),
            ofState.storage().address(),
            peepholes);
        Tensor gates = context.allocateOutput(1, cell.gateGradients().shape());
        Memory.copy(
            cell.gateGradients().storage().address(), gates.storage().address(), gates.byteSize());
        write(context, 2, peepholes);
      }
    };
  }

  /** Inputs: number of steps, inputs of all steps, then as those of {@link #cell}. */
  public static Kernel sequence(KernelNode node, boolean forgetFirst) {
    LstmCell.Options options = options(node, forgetFirst);
    return context -> {
      Shape x = require(context.input(1), "x", 3);
      long steps = steps(context, x);
      try (LstmCell cell = new LstmCell(context, options, x.slice(1, 3), 2)) {
        Tensor[] outputs = allocate(context, Shape.of(x.size(0)).concatenate(cell.state()));
        for (Tensor output : outputs) {
          Fill.zeros(output);
        }
        long state = cell.state().elementCount() * Float.BYTES;
        for (long t = 0; t < steps; t++) {
          cell.forward(
              start(context, x, t, outputs[1], outputs[6], state), step(outputs, t * state));
        }
      }
    };
  }

  /**
   * Inputs: those of {@link #sequence}, its outputs, and the gradients of states and outputs.
   * Outputs: the gradients of all inputs but the number of steps.
   */
  public static Kernel sequenceGradient(KernelNode node, boolean forgetFirst) {
    LstmCell.Options options = options(node, forgetFirst);
    return context -> {
      Shape x = require(context.input(1), "x", 3);
      long steps = steps(context, x);
      try (LstmCell cell = new LstmCell(context, options, x.slice(1, 3), 2)) {
        Shape all = Shape.of(x.size(0)).concatenate(cell.state());
        for (int i = 9; i < 18; i++) {
          LstmCell.require(context, i, "input " + i, all);
        }
        back(context, cell, x, steps);
      }
    };
  }

  private static void back(KernelContext context, LstmCell cell, Shape x, long steps) {
    Tensor ofX = zeros(context, 0, x);
    Tensor ofState = zeros(context, 1, cell.state());
    Tensor ofOutput = zeros(context, 2, cell.state());
    Tensor ofWeights = zeros(context, 3, context.input(4).shape());
    int width = (int) cell.state().size(1);
    float[][] peepholes = new float[3][width];
    float[] ofBias = new float[4 * width];
    long state = cell.state().elementCount() * Float.BYTES;
    long input = x.slice(1, 3).elementCount() * Float.BYTES;
    Tensor[] outputs = new Tensor[STEP.length];
    for (int i = 0; i < STEP.length; i++) {
      outputs[i] = context.input(9 + i);
    }
    try (Tensor csGradient = context.allocate(DataType.FLOAT, cell.state());
        Tensor hGradient = context.allocate(DataType.FLOAT, cell.state())) {
      for (long t = steps - 1; t >= 0; t--) {
        sum(ofState, address(context, 16) + t * state, csGradient);
        sum(ofOutput, address(context, 17) + t * state, hGradient);
        LstmCell.Start start = start(context, x, t, outputs[1], outputs[6], state);
        cell.back(
            start,
            step(outputs, t * state),
            csGradient.storage().address(),
            hGradient.storage().address(),
            ofState.storage().address(),
            peepholes);
        cell.addTo(start, ofWeights, ofBias);
        cell.spread(ofX.storage().address() + t * input, ofOutput.storage().address());
      }
    }
    write(context, 4, peepholes);
    write(context, 7, new float[][] {ofBias});
  }

  /** Reads the options; gradients do not need all of them. */
  private static LstmCell.Options options(KernelNode node, boolean forgetFirst) {
    if (node.type() != DataType.FLOAT) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: float", node.type().lowerName());
    }
    Attributes attributes = node.attributes();
    return new LstmCell.Options(
        forgetFirst,
        attributes.has("forget_bias") ? attributes.real("forget_bias") : 0,
        attributes.has("cell_clip") ? attributes.real("cell_clip") : 0,
        attributes.bool("use_peephole"));
  }

  private static Shape require(Tensor x, String what, int rank) {
    if (x.rank() != rank) {
      throw TributaryException.invalidArgument(
          "%s must have rank %d, got shape %s", what, rank, x.shape());
    }
    return x.shape();
  }

  private static long steps(KernelContext context, Shape x) {
    long steps = IndexTensors.scalar(context.input(0), "seq_len_max");
    if (steps < 0 || steps > x.size(0)) {
      throw TributaryException.invalidArgument(
          "seq_len_max must be from 0 to %d, the number of steps of x, got %d", x.size(0), steps);
    }
    return steps;
  }

  private static LstmCell.Start start(KernelContext context, int first) {
    return new LstmCell.Start(
        address(context, first), address(context, first + 1), address(context, first + 2));
  }

  /** The start of a step, which is the end of the one before. */
  private static LstmCell.Start start(
      KernelContext context, Shape x, long t, Tensor cs, Tensor h, long state) {
    long input = address(context, 1) + t * x.slice(1, 3).elementCount() * Float.BYTES;
    return t == 0
        ? new LstmCell.Start(input, address(context, 2), address(context, 3))
        : new LstmCell.Start(
            input,
            cs.storage().address() + (t - 1) * state,
            h.storage().address() + (t - 1) * state);
  }

  private static LstmCell.Step step(Tensor[] outputs, long offset) {
    return new LstmCell.Step(
        outputs[0].storage().address() + offset,
        outputs[1].storage().address() + offset,
        outputs[2].storage().address() + offset,
        outputs[3].storage().address() + offset,
        outputs[4].storage().address() + offset,
        outputs[5].storage().address() + offset,
        outputs[6].storage().address() + offset);
  }

  private static Tensor[] allocate(KernelContext context, Shape shape) {
    Tensor[] outputs = new Tensor[STEP.length];
    for (int i = 0; i < STEP.length; i++) {
      outputs[i] = context.allocateOutput(i, shape);
    }
    return outputs;
  }

  private static Tensor zeros(KernelContext context, int output, Shape shape) {
    Tensor tensor = context.allocateOutput(output, shape);
    Fill.zeros(tensor);
    return tensor;
  }

  private static void sum(Tensor a, long b, Tensor to) {
    for (long i = 0; i < a.elementCount(); i++) {
      long at = i * Float.BYTES;
      Memory.putFloat(to.storage().address() + at, a.getFloat(i) + Memory.getFloat(b + at));
    }
  }

  private static void write(KernelContext context, int first, float[][] vectors) {
    for (int i = 0; i < vectors.length; i++) {
      Tensor output = context.allocateOutput(first + i, Shape.of(vectors[i].length));
      Memory.copyArray(vectors[i], output.storage().address(), output.byteSize());
    }
  }

  private static long address(KernelContext context, int input) {
    return context.input(input).storage().address();
  }
}
