package dev.tributary.cluster.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * A network that can be slow or cut: what comes to its port goes on to another one. While it is cut
 * nothing passes and nobody is told, as if a cable were out; once it is whole again, what was on
 * its way arrives. Guarded by its own monitor.
 */
final class ChaosProxy implements AutoCloseable {
  private static final int CHUNK = 1 << 16;

  private final int target;
  private final ServerSocket listening;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private Duration delay = Duration.ZERO;
  private boolean cut;
  private boolean closed;

  ChaosProxy(int target) throws IOException {
    this(target, InetAddress.getLoopbackAddress().getHostAddress(), 0);
  }

  /**
   * @param host where it listens, an address of loopback
   * @param port where it listens; 0 for any
   */
  ChaosProxy(int target, String host, int port) throws IOException {
    this.target = target;
    this.listening = new ServerSocket(port, 64, InetAddress.getByName(host));
    start("accept", this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  synchronized void delay(Duration time) {
    delay = time;
  }

  synchronized void cut() {
    cut = true;
  }

  /** Passes everything at once again. */
  synchronized void heal() {
    cut = false;
    delay = Duration.ZERO;
    notifyAll();
  }

  @Override
  public void close() throws IOException {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    listening.close();
    open.forEach(ChaosProxy::closeQuietly);
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        start("connect", () -> connect(client));
      } catch (IOException e) {
        return; // Closed.
      }
    }
  }

  private void connect(Socket client) {
    Socket server = new Socket();
    open.add(client);
    open.add(server);
    try {
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      start("back", () -> pump(server, client));
      pump(client, server);
    } catch (IOException e) {
      end(client, server);
    }
  }

  private void pump(Socket from, Socket to) {
    byte[] chunk = new byte[CHUNK];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
        LockSupport.parkNanos(awaitPassage().toNanos());
        out.write(chunk, 0, n);
      }
    } catch (IOException | InterruptedException e) {
      // One side is gone; so is the other.
    }
    end(from, to);
  }

  /** Waits while the network is cut; gives how slow it is. */
  private synchronized Duration awaitPassage() throws InterruptedException {
    while (cut && !closed) {
      wait(1000);
    }
    return delay;
  }

  private void end(Socket one, Socket other) {
    closeQuietly(one);
    closeQuietly(other);
    open.remove(one);
    open.remove(other);
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is gone, which is all that is wanted.
    }
  }

  private static void start(String role, Runnable work) {
    Thread thread = new Thread(work, "chaos-proxy-" + role);
    thread.setDaemon(true);
    thread.start();
  }
}
