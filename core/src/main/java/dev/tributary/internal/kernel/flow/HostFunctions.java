package dev.tributary.internal.kernel.flow;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Tensor;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The functions of this process's programs that graphs call by a token. A function can be called
 * for as long as its owner keeps it: graphs do, whose operations have its token. Safe for use by
 * many threads.
 */
public final class HostFunctions {
  /** A function of a program. It may be called by many threads at the same time. */
  @FunctionalInterface
  public interface HostFunction {
    /**
     * @param arguments on loan until the call ends
     * @return what becomes the caller's
     */
    List<Tensor> call(List<Tensor> arguments);
  }

  /** A function that can be called; dropping the last reference to this takes it back. */
  public static final class Registered {
    private final String token;
    private final HostFunction function;

    private Registered(String token, HostFunction function) {
      this.token = token;
      this.function = function;
    }

    /** Names the function among those of all processes. */
    public String token() {
      return token;
    }
  }

  private static final String PROCESS = UUID.randomUUID().toString();
  private static final AtomicLong COUNT = new AtomicLong();
  private static final Map<String, WeakReference<Registered>> FUNCTIONS = new ConcurrentHashMap<>();

  private HostFunctions() {}

  /**
   * Lets graphs call a function.
   *
   * @param name says in messages what it is
   */
  public static Registered register(String name, HostFunction function) {
    FUNCTIONS.values().removeIf(known -> known.refersTo(null));
    String token = name + "#" + COUNT.incrementAndGet() + "@" + PROCESS;
    Registered registered = new Registered(token, function);
    FUNCTIONS.put(token, new WeakReference<>(registered));
    return registered;
  }

  /** Returns the function of a token; FAILED_PRECONDITION if it is not one of this process. */
  static HostFunction lookup(String token) {
    WeakReference<Registered> known = FUNCTIONS.get(token);
    Registered registered = known == null ? null : known.get();
    if (registered == null) {
      throw TributaryException.failedPrecondition(
          "the function '%s' lives in the process of the program that made it, which this is not:"
              + " place what calls it on a task in that process, or use a graph function",
          token.substring(0, token.indexOf('#') < 0 ? token.length() : token.indexOf('#')));
    }
    return registered.function;
  }
}
