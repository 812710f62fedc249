package dev.tributary.testing;

import dev.tributary.internal.memory.Allocator;
import java.util.Arrays;

/**
 * Runs a program with leak detection and fails with exit code 1 if it leaves tensors open: {@code
 * LeakChecked CLASS ARGUMENT...}.
 */
public final class LeakChecked {
  private LeakChecked() {}

  public static void main(String[] arguments) throws Exception {
    Allocator.shared().track(true);
    LiveTensors before = LiveTensors.of(Allocator.shared());
    String[] own = Arrays.copyOfRange(arguments, 1, arguments.length);
    Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object) own);
    before.requireNoMore();
  }
}
