package dev.tributary.internal.kernel.onednn;

import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Pointer;

/** A pointer that is moved to the address of a tensor for each call, and owns nothing. */
final class Floats extends FloatPointer {
  Floats() {
    super((Pointer) null);
  }

  Floats at(long address) {
    this.address = address;
    return this;
  }
}
