package dev.tributary.cluster.internal.rpc;

import dev.tributary.cluster.internal.protocol.CallOptions;
import java.util.concurrent.CompletableFuture;

/**
 * A request together with the caller's word whether an error may come in the body of the response,
 * where a long text is not cut.
 */
record ErrorsInBody<Q>(Q request, boolean allowed) {
  static <Q> ErrorsInBody<Q> allowed(Q request) {
    return new ErrorsInBody<>(request, true);
  }

  /** Has the request answered, and puts an error where the caller wants it. */
  <R> CompletableFuture<Outcome<R>> answer(RpcHandler<Q, R> handler, CallOptions options) {
    CompletableFuture<Outcome<R>> answer = handler.handle(request, options).thenApply(Outcome::of);
    return allowed ? answer.exceptionally(Outcome::inBody) : answer;
  }
}
