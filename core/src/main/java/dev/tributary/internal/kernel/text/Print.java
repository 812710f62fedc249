package dev.tributary.internal.kernel.text;

import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.op.Attributes;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Passes its first input on and writes a line with a message and the first elements of the others,
 * the first few times.
 */
public final class Print implements Kernel {
  private final String message;
  private final long summarize;
  private final boolean isLimited;
  private final AtomicLong linesLeft;
  private final Consumer<String> out;

  /**
   * The kernel of one node.
   *
   * @param out takes each line, without its end
   */
  public Print(KernelNode node, Consumer<String> out) {
    Attributes attributes = node.attributes();
    this.message = attributes.string("message");
    this.summarize = attributes.integer("summarize");
    this.isLimited = attributes.integer("first_n") >= 0;
    this.linesLeft = new AtomicLong(attributes.integer("first_n"));
    this.out = out;
  }

  @Override
  public void compute(KernelContext context) {
    context.setOutput(0, context.input(0).retain());
    if (!isLimited || linesLeft.get() > 0 && linesLeft.getAndDecrement() > 0) {
      StringBuilder line = new StringBuilder(message);
      for (int i = 1; i < context.inputCount(); i++) {
        line.append('[').append(TensorSummary.of(context.input(i), summarize)).append(']');
      }
      out.accept(line.toString());
    }
  }
}
