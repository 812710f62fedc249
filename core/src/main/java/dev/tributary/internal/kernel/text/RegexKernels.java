package dev.tributary.internal.kernel.text;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/** The kernels of the ops with regular expressions. */
public final class RegexKernels {
  /** The last pattern that came as an input, for the next call. Safe for use by many threads. */
  private static final class PatternInput {
    private record Compiled(byte[] text, RegexPattern pattern) {}

    private volatile Compiled last = new Compiled(new byte[0], RegexPattern.of(new byte[0]));

    RegexPattern of(KernelContext context) {
      byte[] text = scalar(context.input(1), "Pattern");
      Compiled compiled = last;
      if (!Arrays.equals(compiled.text(), text)) {
        compiled = new Compiled(text, RegexPattern.of(text));
        last = compiled;
      }
      return compiled.pattern();
    }
  }

  private RegexKernels() {}

  public static Kernel staticFullMatch(KernelNode node) {
    RegexPattern pattern = RegexPattern.of(ElementStrings.attribute(node, "pattern"));
    return context -> fullMatch(context, pattern);
  }

  public static Kernel fullMatch(KernelNode node) {
    PatternInput pattern = new PatternInput();
    return context -> fullMatch(context, pattern.of(context));
  }

  public static Kernel staticReplace(KernelNode node) {
    RegexPattern pattern = RegexPattern.of(ElementStrings.attribute(node, "pattern"));
    RegexRewrite rewrite = RegexRewrite.of(ElementStrings.attribute(node, "rewrite"));
    boolean all = node.attributes().bool("replace_global");
    return ElementStrings.map(string -> pattern.replace(string, rewrite, all));
  }

  public static Kernel replace(KernelNode node) {
    PatternInput patterns = new PatternInput();
    boolean all = node.attributes().bool("replace_global");
    return context -> {
      RegexPattern pattern = patterns.of(context);
      RegexRewrite rewrite = RegexRewrite.of(scalar(context.input(2), "Rewrite"));
      ElementStrings.map(string -> pattern.replace(string, rewrite, all)).compute(context);
    };
  }

  private static void fullMatch(KernelContext context, RegexPattern pattern) {
    Tensor input = context.input(0);
    long at = context.allocateOutput(0, input.shape()).storage().address();
    Object[] strings = input.objects();
    for (int i = 0; i < strings.length; i++) {
      Memory.putBoolean(at + i, pattern.matches((byte[]) strings[i]));
    }
  }

  private static byte[] scalar(Tensor tensor, String name) {
    if (tensor.rank() != 0) {
      throw TributaryException.invalidArgument(
          "%s must be scalar, but received %s", name, tensor.shape());
    }
    return (byte[]) tensor.objects()[0];
  }
}
