package dev.tributary.cluster.internal.rpc;

import dev.tributary.cluster.internal.protocol.TaskMemory;
import dev.tributary.cluster.spec.Limits;
import dev.tributary.security.ChannelSecurity;
import io.grpc.netty.NettyServerBuilder;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Whom a server lets in, and how much it takes from them.
 *
 * @param memory takes what requests bring
 * @param ownUserOnly whether only connections of the server's own user and of root are taken; for
 *     servers that every user of the machine reaches, and no other machine
 */
public record CallerRules(
    ChannelSecurity security, Limits limits, TaskMemory memory, boolean ownUserOnly) {
  /** Anybody, in plain text, within the default limits on requests, with all memory. */
  public static CallerRules none() {
    return new CallerRules(
        ChannelSecurity.none(), Limits.defaults(), TaskMemory.unlimited(), false);
  }

  /**
   * Has a server check its callers. Returns the token that they have to show where the system does
   * not say whose a connection is.
   *
   * @param users how the system tells local callers apart; asked only if that matters
   * @param tokens where the token is for clients of the own user
   */
  Optional<BearerToken> guard(
      NettyServerBuilder server, Supplier<Optional<LocalCallers>> users, LocalTokens tokens) {
    // A method reference would name the superclass, which is another one before gRPC 1.59.
    AdminCalls.of(security).ifPresent(admins -> server.intercept(admins));
    security.token().map(BearerToken::ofJob).ifPresent(token -> server.intercept(token));
    if (!ownUserOnly) {
      return Optional.empty();
    }
    Optional<LocalCallers> callers = users.get();
    callers.ifPresent(known -> known.guard(server));
    Optional<BearerToken> local =
        callers.isPresent() ? Optional.empty() : Optional.of(tokens.newToken());
    local.ifPresent(token -> server.intercept(token));
    return local;
  }
}
