package dev.tributary.cluster.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;

/**
 * Passes connections on to a port of this machine or to a Unix socket, until its input ends. Uses
 * nothing but the JDK, so that users run it who can read nothing else.
 */
final class Relay {
  private static final int PIECE = 1 << 16;

  private Relay() {}

  public static void main(String[] arguments) throws IOException {
    SocketAddress target =
        arguments[0].startsWith("/")
            ? UnixDomainSocketAddress.of(arguments[0])
            : new InetSocketAddress(
                InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    System.out.println("port " + server.getLocalPort());
    Thread accepting = new Thread(() -> accept(server, target));
    accepting.setDaemon(true);
    accepting.start();
    while (System.in.read() >= 0) {}
  }

  private static void accept(ServerSocket server, SocketAddress target) {
    try {
      while (true) {
        Socket caller = server.accept();
        SocketChannel called = SocketChannel.open(target);
        start(() -> send(caller, called));
        start(() -> receive(called, caller));
      }
    } catch (IOException e) {
      System.out.println(e);
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
  }

  private static void send(Socket caller, SocketChannel called) {
    byte[] piece = new byte[PIECE];
    try (caller;
        called) {
      for (int read = caller.getInputStream().read(piece);
          read >= 0;
          read = caller.getInputStream().read(piece)) {
        ByteBuffer bytes = ByteBuffer.wrap(piece, 0, read);
        while (bytes.hasRemaining()) {
          called.write(bytes);
        }
      }
    } catch (IOException e) {
      // One of the two sides has ended.
    }
  }

  private static void receive(SocketChannel called, Socket caller) {
    try (caller;
        called) {
      Channels.newInputStream(called).transferTo(caller.getOutputStream());
    } catch (IOException e) {
      // One of the two sides has ended.
    }
  }
}
