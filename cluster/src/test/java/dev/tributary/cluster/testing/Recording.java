package dev.tributary.cluster.testing;

import dev.tributary.cluster.internal.protocol.CallOptions;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A master or a worker that writes down what it is asked, and answers as the test says. Safe for
 * use by many threads.
 */
public final class Recording<I> {
  private static final long LIMIT_SECONDS = 20;

  /** One call as it came in; the last argument was its options. */
  public record Call(String method, List<Object> arguments, CallOptions options) {}

  private final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();
  private final I target;
  private volatile Function<Call, CompletableFuture<?>> answer =
      call -> CompletableFuture.completedFuture(null);

  private Recording(Class<I> type) {
    this.target =
        type.cast(
            Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> {
                  List<Object> all = List.of(arguments);
                  int last = all.size() - 1;
                  Call call =
                      new Call(method.getName(), all.subList(0, last), (CallOptions) all.get(last));
                  calls.add(call);
                  return answer.apply(call);
                }));
  }

  public static <I> Recording<I> of(Class<I> type) {
    return new Recording<>(type);
  }

  /** What to answer from now on. */
  public Recording<I> answering(Function<Call, CompletableFuture<?>> answer) {
    this.answer = answer;
    return this;
  }

  public I target() {
    return target;
  }

  /** The next call, which is waited for. */
  public Call next() throws InterruptedException {
    Call call = calls.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
    if (call == null) {
      throw new AssertionError("no call came within " + LIMIT_SECONDS + " s");
    }
    return call;
  }

  public int waiting() {
    return calls.size();
  }
}
