package dev.tributary.internal.kernel;

import dev.tributary.error.TributaryException;
import dev.tributary.op.AttrValue;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Makes functions of a graph ready for the kernels that call them. What it makes lives as long as
 * the compiled graph of these kernels.
 */
@FunctionalInterface
public interface FunctionRuntime {
  /**
   * Returns a function that runs on devices of this process.
   *
   * @param device the full name of the device for all that asks for no other
   */
  CapturedFunction instantiate(AttrValue.Function function, String device);

  /**
   * Returns whether a function has an op of these names, in its body or in that of a function that
   * an op of the body calls.
   */
  default boolean contains(AttrValue.Function function, Set<String> ops) {
    return false;
  }

  /** The threads on which work of kernels runs that goes on after their call. */
  default Executor pool() {
    return Runnable::run;
  }

  /** For graphs that have no functions. */
  static FunctionRuntime none() {
    return (function, device) -> {
      throw TributaryException.failedPrecondition(
          "function '%s' cannot be called here: no graph with functions is compiled",
          function.name());
    };
  }
}
