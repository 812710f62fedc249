package dev.tributary.cluster.internal.rpc;

import dev.tributary.internal.memory.MemoryAccount;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;

/**
 * Counts the messages that a server is about to read: gRPC keeps each in memory until it is
 * complete. Safe for use by many threads.
 */
final class IncomingMessages extends ServerStreamTracer.Factory {
  private final MemoryAccount account;

  IncomingMessages(MemoryAccount account) {
    this.account = account;
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
    return new IncomingMessage(account);
  }
}
