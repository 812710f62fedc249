package dev.tributary.cluster.internal.rpc;

import dev.tributary.cluster.internal.protocol.CallOptions;
import java.util.concurrent.CompletableFuture;

/** The handler of a procedure's requests. Never blocks. */
interface RpcHandler<Q, R> {
  /** The request's tensors are held until the future is done. */
  CompletableFuture<R> handle(Q request, CallOptions options);
}
