package dev.tributary.internal.bundle;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;

/**
 * The form of a variant in a checkpoint: the bytes of a message. Those who know messages give it to
 * readers and writers.
 */
public interface VariantForm {
  /** The form of checkpoints of numbers and strings. */
  VariantForm NONE =
      new VariantForm() {
        @Override
        public byte[] toBytes(Object element) {
          throw TributaryException.unimplemented("a variant tensor cannot be saved here");
        }

        @Override
        public Object toValue(Allocator allocator, byte[] message) {
          throw TributaryException.unimplemented("a variant tensor cannot be restored here");
        }
      };

  /** The message of an element. UNIMPLEMENTED if it has none, such as a dataset. */
  byte[] toBytes(Object element);

  /** The element of a message, with a reference for the caller. */
  Object toValue(Allocator allocator, byte[] message);
}
