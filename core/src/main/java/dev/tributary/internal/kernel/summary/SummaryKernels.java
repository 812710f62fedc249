package dev.tributary.internal.kernel.summary;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.event.Histogram;
import dev.tributary.internal.event.SummaryBuilder;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.loop.CastLoop;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** Factories of the kernels of summary ops. */
public final class SummaryKernels {
  private SummaryKernels() {}

  /** A scalar for each pair of tag and value. */
  public static Kernel scalar(KernelNode node) {
    requireNumbers(node.type());
    return c -> {
      Tensor tags = c.input(0);
      Tensor values = c.input(1);
      boolean fits = tags.shape().equals(values.shape());
      if (!fits && !(tags.elementCount() == 1 && values.elementCount() == 1)) {
        throw TributaryException.invalidArgument(
            "tags and values are not the same shape: %s != %s", tags.shape(), values.shape());
      }
      SummaryBuilder summary = new SummaryBuilder();
      try (Tensor floats = cast(c, values, DataType.FLOAT)) {
        for (int i = 0; i < values.elementCount(); i++) {
          summary.scalar(tags.getString(i), floats.getFloat(i));
        }
      }
      set(c, summary);
    };
  }

  /** A tensor under the name of the node. */
  public static Kernel tensorOfNode(KernelNode node) {
    return c -> set(c, new SummaryBuilder().tensorOf(node.name(), c.input(0)));
  }

  public static Kernel histogram(KernelNode node) {
    requireNumbers(node.type());
    return c -> {
      String tag = tag(c.input(0));
      set(c, new SummaryBuilder().histogram(tag, histogram(c, tag, c.input(1))));
    };
  }

  static Histogram histogram(KernelContext context, String tag, Tensor values) {
    Histogram histogram = new Histogram();
    try (Tensor doubles = cast(context, values, DataType.DOUBLE)) {
      for (long i = 0; i < doubles.elementCount(); i++) {
        double value = doubles.getDouble(i);
        if (!Double.isFinite(value)) {
          throw TributaryException.invalidArgument(
              "%s in summary histogram for: %s, element %d",
              Double.isNaN(value) ? "Nan" : "Infinity", tag, i);
        }
        histogram.add(value);
      }
    }
    return histogram;
  }

  public static Kernel merge(KernelNode node) {
    return c -> {
      SummaryBuilder summary = new SummaryBuilder();
      for (int i = 0; i < c.inputCount(); i++) {
        for (Object part : c.input(i).objects()) {
          summary.merge((byte[]) part);
        }
      }
      set(c, summary);
    };
  }

  public static Kernel tensor(KernelNode node) {
    return c -> {
      Tensor metadata = c.input(2);
      if (metadata.elementCount() != 1) {
        throw TributaryException.invalidArgument(
            "serialized_summary_metadata must be scalar, got shape %s", metadata.shape());
      }
      byte[] bytes = (byte[]) metadata.objects()[0];
      set(c, new SummaryBuilder().tensor(tag(c.input(0)), c.input(1), bytes));
    };
  }

  static String tag(Tensor tag) {
    if (tag.elementCount() != 1) {
      throw TributaryException.invalidArgument("tag must be scalar, got shape %s", tag.shape());
    }
    return tag.getString(0);
  }

  static void set(KernelContext context, SummaryBuilder summary) {
    context.setOutput(
        0, Tensor.ofObjects(DataType.STRING, Shape.scalar(), (Object) summary.toBytes()));
  }

  /** The elements as another type, in a tensor for the caller to close. */
  static Tensor cast(KernelContext context, Tensor from, DataType type) {
    Tensor to = context.allocate(type, from.shape());
    CastLoop.run(
        from.type(), from.storage().address(), type, to.storage().address(), from.elementCount());
    return to;
  }

  static void requireNumbers(DataType type) {
    if (!type.isFloating() && !type.isInteger()) {
      throw TributaryException.unimplemented("no kernel for type %s", type.lowerName());
    }
  }
}
