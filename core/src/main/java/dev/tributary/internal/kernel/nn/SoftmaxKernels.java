package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Backend;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.RowsView;
import dev.tributary.internal.kernel.SoftmaxGeometry;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** Softmax over the last dimension, and the cross entropies of rows of logits. */
public final class SoftmaxKernels {
  /** A method of {@link Backend} on a matrix. */
  private interface Rows {
    void run(SoftmaxGeometry geometry, long from, long to);
  }

  private SoftmaxKernels() {}

  public static void softmax(KernelContext context) {
    overRows(context, context.device().backend()::softmax);
  }

  public static void logSoftmax(KernelContext context) {
    overRows(context, context.device().backend()::logSoftmax);
  }

  private static void overRows(KernelContext context, Rows rows) {
    Tensor logits = context.input(0);
    if (logits.rank() < 1) {
      throw TributaryException.invalidArgument(
          "logits must have one dimension or more, got shape %s", logits.shape());
    }
    long classes = logits.shape().size(-1);
    long from = logits.storage().address();
    Tensor output = context.forwardOrAllocate(0, 0, logits.shape());
    if (output.elementCount() > 0) {
      SoftmaxGeometry geometry =
          new SoftmaxGeometry(logits.type(), logits.elementCount() / classes, classes);
      rows.run(geometry, from, output.storage().address());
    }
  }

  /** The matrix shape that logits and labels of a dense cross entropy broadcast to. */
  public static Shape crossEntropyShape(Shape logits, Shape labels) {
    Shape both = Broadcast.shape(logits, labels);
    if (!both.hasRank()) {
      return Shape.ofRank(2);
    }
    if (both.rank() != 2) {
      throw TributaryException.invalidArgument(
          "logits and labels must be matrices, or broadcast to one; got shapes %s and %s",
          logits, labels);
    }
    return both;
  }

  public static void crossEntropy(KernelContext context) {
    Tensor logits = context.input(0);
    Tensor labels = context.input(1);
    Shape shape = crossEntropyShape(logits.shape(), labels.shape());
    Tensor loss = context.allocateOutput(0, shape.slice(0, 1));
    Tensor backprop = context.allocateOutput(1, shape);
    if (loss.elementCount() > 0) {
      context
          .device()
          .backend()
          .softmaxCrossEntropy(
              new SoftmaxGeometry(logits.type(), shape.size(0), shape.size(1)),
              rows(logits),
              rows(labels),
              loss.storage().address(),
              backprop.storage().address());
    }
  }

  public static void sparseCrossEntropy(KernelContext context) {
    Tensor logits = context.input(0);
    Tensor labels = context.input(1);
    if (logits.rank() != 2
        || labels.rank() != 1
        || logits.shape().size(0) != labels.elementCount()) {
      throw TributaryException.invalidArgument(
          "logits must be a matrix and labels a vector with one class a row, got shapes %s and %s",
          logits.shape(), labels.shape());
    }
    long classes = logits.shape().size(1);
    if (classes == 0) {
      throw TributaryException.invalidArgument(
          "Must have at least one class, but got logits shape %s", logits.shape());
    }
    Tensor loss = context.allocateOutput(0, labels.shape());
    Tensor backprop = context.allocateOutput(1, logits.shape());
    context
        .device()
        .backend()
        .sparseSoftmaxCrossEntropy(
            new SoftmaxGeometry(logits.type(), labels.elementCount(), classes),
            labels.type(),
            logits.storage().address(),
            labels.storage().address(),
            loss.storage().address(),
            backprop.storage().address());
  }

  private static RowsView rows(Tensor tensor) {
    long rows = tensor.rank() < 2 ? 1 : tensor.shape().size(0);
    long columns = tensor.rank() < 1 ? 1 : tensor.shape().size(-1);
    return RowsView.broadcast(tensor.storage().address(), rows, columns);
  }
}
