package dev.tributary.cluster.internal.rpc;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Addresses on this machine for tasks that are about to start, or to start again. They lie below
 * the ports that systems give to outgoing connections: one of those could take a port in the moment
 * that its task is not there.
 */
public final class FreePorts {
  private static final int FIRST = 15_000;
  private static final int END = 32_000;

  private FreePorts() {}

  /**
   * As many addresses {@code localhost:port} where nobody listens, all different; another process
   * may still take one before it is used.
   */
  public static List<String> addresses(int count) {
    List<String> addresses = new ArrayList<>();
    // Not from the first on: two programs that look at the same time should find different ones.
    int port = ThreadLocalRandom.current().nextInt(FIRST, END);
    for (int tried = 0; addresses.size() < count; tried++) {
      if (tried == END - FIRST) {
        throw new TributaryException(
            ErrorCode.RESOURCE_EXHAUSTED,
            String.format(
                "%d of %d wanted ports are free from %d to %d",
                addresses.size(), count, FIRST, END - 1));
      }
      if (isFree(port)) {
        addresses.add("localhost:" + port);
      }
      port = port + 1 == END ? FIRST : port + 1;
    }
    return List.copyOf(addresses);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
