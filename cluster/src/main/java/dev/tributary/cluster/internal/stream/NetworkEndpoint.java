package dev.tributary.cluster.internal.stream;

import dev.tributary.error.TributaryException;

/**
 * A connection that a task offers to another one over the network: once, and for a short time. It
 * is given only to those who may call the task, by a call that they have to be allowed to make.
 * Immutable.
 *
 * @param port of the host by which the task is called
 * @param connection which of its offers it is
 * @param secret unguessable, new with every offer
 */
public record NetworkEndpoint(int port, long connection, byte[] secret) {
  private static final int LAST_PORT = 65535;

  public NetworkEndpoint {
    if (port <= 0 || port > LAST_PORT || secret.length != StreamEndpoint.TOKEN_BYTES) {
      throw TributaryException.invalidArgument(
          "no stream is offered by port %d and a secret of %d bytes", port, secret.length);
    }
    secret = secret.clone();
  }

  @Override
  public byte[] secret() {
    return secret.clone();
  }

  /** Without the secret, which must not get into a log. */
  @Override
  public String toString() {
    return "port " + port;
  }
}
