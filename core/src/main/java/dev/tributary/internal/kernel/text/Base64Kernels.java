package dev.tributary.internal.kernel.text;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelNode;
import java.util.Base64;

/** The kernels of base64 in the alphabet that is safe in URLs. */
public final class Base64Kernels {
  private Base64Kernels() {}

  public static Kernel encode(KernelNode node) {
    Base64.Encoder padding = Base64.getUrlEncoder();
    Base64.Encoder encoder = node.attributes().bool("pad") ? padding : padding.withoutPadding();
    return ElementStrings.map(encoder::encode);
  }

  /** Takes strings with and without padding. */
  public static Kernel decode(KernelNode node) {
    Base64.Decoder decoder = Base64.getUrlDecoder();
    return ElementStrings.map(
        string -> {
          try {
            return decoder.decode(string);
          } catch (IllegalArgumentException e) {
            throw TributaryException.invalidArgument(
                "Invalid character or padding found in base64: %s", e.getMessage());
          }
        });
  }
}
