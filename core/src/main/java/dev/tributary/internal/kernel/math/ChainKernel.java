package dev.tributary.internal.kernel.math;

import dev.tributary.internal.kernel.Backend;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.loop.LoopChain;
import dev.tributary.internal.kernel.loop.UnaryLoop;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/**
 * A chain of loops over floats, in one pass where all its values have the same shape. Where some
 * are smaller, which a graph need not say, each loop is a pass of its own.
 */
public final class ChainKernel implements Kernel {
  /** Pieces of this many elements are worth a second thread. */
  private static final long ELEMENTS = 1 << 15;

  private final LoopChain chain;
  private Plan last = new Plan(new Shape[0], null, false);

  public ChainKernel(LoopChain chain) {
    this.chain = chain;
  }

  /** The way to run over operands of these shapes. */
  private record Plan(Shape[] shapes, Broadcast walk, boolean isOnePass) {}

  @Override
  public void compute(KernelContext context) {
    Plan plan = plan(context);
    if (plan.isOnePass) {
      runOnce(context, plan.walk);
    } else {
      runEach(context);
    }
  }

  /** Threads may overwrite each other's last plan, and then make it again. */
  private Plan plan(KernelContext context) {
    Plan known = last;
    boolean same = known.shapes.length == chain.operands();
    for (int i = 0; same && i < known.shapes.length; i++) {
      same = known.shapes[i].equals(context.input(i).shape());
    }
    if (!same) {
      Shape[] shapes = new Shape[chain.operands()];
      Arrays.setAll(shapes, i -> context.input(i).shape());
      Shape[] all = valueShapes(shapes);
      Shape result = all[shapes.length];
      boolean isOnePass =
          Arrays.stream(all, shapes.length, all.length).allMatch(result::equals)
              && result.elementCount() > 0;
      known = new Plan(shapes, isOnePass ? Broadcast.of(shapes) : null, isOnePass);
      last = known;
    }
    return known;
  }

  /** The shapes of operands and links. */
  private Shape[] valueShapes(Shape[] operands) {
    Shape[] all = Arrays.copyOf(operands, operands.length + chain.links().size());
    for (int i = operands.length; i < all.length; i++) {
      LoopChain.Link link = chain.links().get(i - operands.length);
      all[i] = Broadcast.shape(all[link.left()], all[link.right()]);
    }
    return all;
  }

  private void runOnce(KernelContext context, Broadcast walk) {
    long[] in = new long[chain.operands()];
    for (int i = 0; i < in.length; i++) {
      in[i] = context.input(i).storage().address();
    }
    long[] out = new long[chain.resultCount()];
    boolean[] taken = new boolean[in.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = output(context, i, walk.result(), taken).storage().address();
    }
    long grain = Math.max(1, ELEMENTS / LoopChain.pieceLength(walk));
    context
        .device()
        .backend()
        .parallel()
        .range(LoopChain.pieces(walk), grain, (from, to) -> chain.run(walk, in, out, from, to));
  }

  /** A place for a result, that of an operand if nobody needs it any more. */
  private Tensor output(KernelContext context, int result, Shape shape, boolean[] taken) {
    for (int i = 0; i < taken.length; i++) {
      if (!taken[i] && chain.mayReplace(i, result) && context.canForward(i, result, shape)) {
        taken[i] = true;
        return context.forwardOrAllocate(i, result, shape);
      }
    }
    return context.allocateOutput(result, shape);
  }

  private void runEach(KernelContext context) {
    int operands = chain.operands();
    Tensor[] values = new Tensor[operands + chain.links().size()];
    for (int i = 0; i < operands; i++) {
      values[i] = context.input(i);
    }
    try {
      for (int i = operands; i < values.length; i++) {
        values[i] = run(context, chain.links().get(i - operands), values);
      }
      for (int i = 0; i < chain.resultCount(); i++) {
        context.setOutput(i, values[chain.result(i)]);
        values[chain.result(i)] = null;
      }
    } finally {
      for (int i = operands; i < values.length; i++) {
        if (values[i] != null) {
          values[i].close();
        }
      }
    }
  }

  private static Tensor run(KernelContext context, LoopChain.Link link, Tensor[] values) {
    Tensor left = values[link.left()];
    Tensor right = values[link.right()];
    Broadcast walk = Broadcast.of(left.shape(), right.shape());
    Tensor result = context.allocate(DataType.FLOAT, walk.result());
    Backend backend = context.device().backend();
    long x = left.storage().address();
    long y = right.storage().address();
    long z = result.storage().address();
    if (link.loop() instanceof BinaryLoop binary) {
      backend.elementWise(binary, DataType.FLOAT, walk, x, y, z);
    } else {
      backend.elementWise((UnaryLoop) link.loop(), DataType.FLOAT, walk.elementCount(), x, z);
    }
    return result;
  }
}
