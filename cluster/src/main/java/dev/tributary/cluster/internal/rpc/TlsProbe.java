package dev.tributary.cluster.internal.rpc;

import dev.tributary.cluster.spec.HostAndPort;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Finds out whether a server speaks TLS that has turned away plain text. Such servers close the
 * connection without a word, as one does that goes down.
 */
final class TlsProbe {
  private static final int LIMIT_MILLIS = (int) Duration.ofSeconds(1).toMillis();

  private TlsProbe() {}

  /** Asks, and waits a second at most. */
  static boolean speaksTls(HostAndPort address) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address.host(), address.port()), LIMIT_MILLIS);
      socket.setSoTimeout(LIMIT_MILLIS);
      SSLSocketFactory tls = (SSLSocketFactory) SSLSocketFactory.getDefault();
      try (SSLSocket secured =
          (SSLSocket) tls.createSocket(socket, address.host(), address.port(), false)) {
        secured.startHandshake();
        return true;
      }
    } catch (SSLHandshakeException e) {
      // It has shown a certificate that we do not know, or says what it dislikes about us.
      return !(e.getCause() instanceof EOFException);
    } catch (IOException e) {
      return false;
    }
  }
}
