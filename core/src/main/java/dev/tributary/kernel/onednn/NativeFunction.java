package dev.tributary.kernel.onednn;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.Optional;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A C function of one word that oneDNN's Java API does not show, called by its address: JavaCPP's
 * native deallocators can call any such function. On all platforms we know, an int is passed like
 * the low half of a word. Immutable; safe for use by many threads.
 */
final class NativeFunction {
  private static final Logger LOG = LoggerFactory.getLogger(NativeFunction.class);

  private final Object caller;
  private final Method call;
  private final long address;

  private NativeFunction(Object caller, Method call, long address) {
    this.caller = caller;
    this.call = call;
    this.address = address;
  }

  /** The function of this name in what the process has loaded; empty where the way is closed. */
  static Optional<NativeFunction> find(String name) {
    try {
      final Class<?> type = Class.forName(Pointer.class.getName() + "$NativeDeallocator");
      final Constructor<?> constructor =
          type.getDeclaredConstructor(Pointer.class, long.class, long.class);
      constructor.setAccessible(true);
      final Object caller = constructor.newInstance(new BytePointer(), 0L, 0L);
      final Method call = type.getDeclaredMethod("deallocate", long.class, long.class);
      call.setAccessible(true);
      return Optional.ofNullable(Loader.addressof(name))
          .map(found -> new NativeFunction(caller, call, found.address()));
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.debug("no way to call native functions", e);
      return Optional.empty();
    }
  }

  void call(long argument) {
    try {
      call.invoke(caller, argument, address);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
