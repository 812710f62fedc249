package dev.tributary.internal.kernel.text;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.tensor.Shape;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Puts tensors into the placeholders of a template. */
public final class StringFormat implements Kernel {
  private final List<String> pieces;
  private final long summarize;

  public StringFormat(KernelNode node) {
    pieces = split(node.attributes().string("template"), node.attributes().string("placeholder"));
    summarize = node.attributes().integer("summarize");
    if (pieces.size() - 1 != node.inputTypes().size()) {
      throw TributaryException.invalidArgument(
          "num placeholders in template and num inputs must match: %d vs. %d",
          pieces.size() - 1, node.inputTypes().size());
    }
  }

  private static List<String> split(String template, String placeholder) {
    if (placeholder.isEmpty()) {
      throw TributaryException.invalidArgument("the placeholder of a template is empty");
    }
    List<String> pieces = new ArrayList<>();
    int start = 0;
    for (int at = template.indexOf(placeholder); at >= 0; ) {
      pieces.add(template.substring(start, at));
      start = at + placeholder.length();
      at = template.indexOf(placeholder, start);
    }
    pieces.add(template.substring(start));
    return pieces;
  }

  @Override
  public void compute(KernelContext context) {
    StringBuilder text = new StringBuilder(pieces.get(0));
    for (int i = 0; i < context.inputCount(); i++) {
      text.append(TensorSummary.withEnds(context.input(i), summarize)).append(pieces.get(i + 1));
    }
    Object[] output = context.allocateOutput(0, Shape.scalar()).objects();
    output[0] = text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
