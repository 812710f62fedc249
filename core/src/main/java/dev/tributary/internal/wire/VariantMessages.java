package dev.tributary.internal.wire;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.bundle.VariantForm;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.Variant;

/** Variants in checkpoints, in the form that they have in other messages. */
public final class VariantMessages implements VariantForm {
  public static final VariantForm FORM = new VariantMessages();

  private VariantMessages() {}

  @Override
  public byte[] toBytes(Object element) {
    if (VariantProtos.hasForm(element)) {
      return VariantProtos.toProto(element).toByteArray();
    }
    if (element instanceof byte[] message) {
      return message;
    }
    throw TributaryException.unimplemented(
        "%s cannot be saved: it has no form outside of its process", Variant.describe(element));
  }

  @Override
  public Object toValue(Allocator allocator, byte[] message) {
    return VariantProtos.toValue(allocator, message, Variant.MOST_LEVELS);
  }
}
