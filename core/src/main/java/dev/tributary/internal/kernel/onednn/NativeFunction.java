package dev.tributary.internal.kernel.onednn;

import java.util.Optional;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.opencl.User_func_Pointer;

/**
 * A C function of one word that oneDNN's Java API does not show, called by its address. OpenCL's
 * API, which oneDNN's loads in any case, has a type for C functions of one pointer. On all
 * platforms we know, an int is passed like the low half of a word. Immutable; safe for use by many
 * threads.
 */
final class NativeFunction {
  /** The content of the native type: the function's address, and the Java object to call if any. */
  private final PointerPointer<Pointer> structure;

  private final User_func_Pointer function;

  private NativeFunction(Pointer address) {
    structure = new PointerPointer<>(address, null);
    function = new User_func_Pointer(structure);
  }

  /** The function of this name in what the process has loaded; empty if there is none. */
  static Optional<NativeFunction> find(String name) {
    return Optional.ofNullable(Loader.addressof(name)).map(NativeFunction::new);
  }

  void call(long argument) {
    function.call(new Word(argument));
  }

  /** A pointer to nowhere, whose address is the argument. */
  private static final class Word extends Pointer {
    Word(long value) {
      super((Pointer) null);
      address = value;
    }
  }
}
