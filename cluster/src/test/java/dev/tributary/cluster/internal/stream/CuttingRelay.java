package dev.tributary.cluster.internal.stream;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A network that fails when so many bytes have gone one way, and then ends all its connections. */
final class CuttingRelay implements AutoCloseable {
  private final InetAddress host = InetAddress.getLoopbackAddress();
  private final ServerSocket listening = new ServerSocket(0, 5, host);
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final int target;
  private final int socket;
  private final boolean towardsServer;
  private final int bytes;

  /**
   * @param socket whether the first or the second socket to connect is the one that is counted
   */
  CuttingRelay(int target, int socket, boolean towardsServer, int bytes) throws IOException {
    this.target = target;
    this.socket = socket;
    this.towardsServer = towardsServer;
    this.bytes = bytes;
    start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  private void accept() {
    try {
      for (int i = 0; ; i++) {
        Socket caller = listening.accept();
        Socket called = new Socket(host, target);
        open.add(caller);
        open.add(called);
        int number = i;
        start(() -> pass(caller, called, number == socket && towardsServer));
        start(() -> pass(called, caller, number == socket && !towardsServer));
      }
    } catch (IOException e) {
      close(); // By the test, or cut off.
    }
  }

  private void pass(Socket from, Socket to, boolean counts) {
    byte[] piece = new byte[1 << 14];
    int left = counts ? bytes : Integer.MAX_VALUE;
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      while (left > 0) {
        int read = in.read(piece, 0, Math.min(left, piece.length));
        if (read < 0) {
          break;
        }
        out.write(piece, 0, read);
        left -= counts ? read : 0;
      }
    } catch (IOException e) {
      // One of the two sides has ended.
    }
    close();
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "cutting-relay");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    try {
      listening.close();
      for (Socket end : open) {
        end.close();
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
