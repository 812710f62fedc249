package dev.tributary.cluster.internal.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/**
 * A TCP socket with TLS. Data is decrypted straight to where it belongs and encrypted from where it
 * is, several records for one call of the system. The end of the data is not marked: a message says
 * itself where it ends, so that a connection that is cut off is never taken for one that is done.
 */
final class TlsStream implements StreamChannel {
  private static final int RECORDS = 8;
  private static final ByteBuffer[] NOTHING = {ByteBuffer.allocate(0)};

  private final SocketChannel socket;
  private final SSLEngine engine;

  /** Encrypted bytes of the other side, between position and limit. */
  private final ByteBuffer incoming;

  /** Encrypted bytes for the other side, between position and limit. */
  private final ByteBuffer outgoing;

  /** Decrypted bytes for which there was no room, between position and limit. */
  private final ByteBuffer decrypted;

  private final AtomicLong writtenBytes = new AtomicLong();

  private TlsStream(SocketChannel socket, SSLEngine engine) {
    this.socket = socket;
    this.engine = engine;
    int record = engine.getSession().getPacketBufferSize();
    this.incoming = ByteBuffer.allocateDirect(RECORDS * record).flip();
    this.outgoing = ByteBuffer.allocateDirect(RECORDS * record).flip();
    // OpenSSL wants room for the encrypted record, which is a little larger.
    this.decrypted =
        ByteBuffer.allocateDirect(Math.max(record, engine.getSession().getApplicationBufferSize()))
            .flip();
  }

  /**
   * Agrees with the other side on keys, and checks what it shows. Waits for it for as long as the
   * socket is open.
   */
  static TlsStream open(SocketChannel socket, SSLEngine engine) throws IOException {
    TlsStream stream = new TlsStream(socket, engine);
    try {
      stream.shakeHands();
      return stream;
    } catch (IOException | RuntimeException e) {
      stream.dropEngine();
      throw e;
    }
  }

  private void shakeHands() throws IOException {
    engine.beginHandshake();
    try {
      HandshakeStatus status = engine.getHandshakeStatus();
      while (status != HandshakeStatus.FINISHED && status != HandshakeStatus.NOT_HANDSHAKING) {
        status = step(status);
      }
      flush();
    } catch (SSLException e) {
      tellWhy();
      throw e;
    }
  }

  private HandshakeStatus step(HandshakeStatus status) throws IOException {
    switch (status) {
      case NEED_WRAP -> {
        encrypt(NOTHING);
        flush();
      }
      case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
        decrypted.clear();
        boolean open = decryptTo(decrypted);
        decrypted.flip();
        if (!open) {
          throw new SSLException("the other side has closed it during the handshake");
        }
      }
      case NEED_TASK -> runTasks();
      default -> {}
    }
    return engine.getHandshakeStatus();
  }

  private void runTasks() {
    for (Runnable task = engine.getDelegatedTask(); task != null; ) {
      task.run();
      task = engine.getDelegatedTask();
    }
  }

  /** Sends the alert by which the other side learns what is wrong with its certificate. */
  private void tellWhy() {
    try {
      if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
        encrypt(NOTHING);
        flush();
      }
    } catch (IOException e) {
      // It learns no more than that the connection has ended.
    }
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    if (!decrypted.hasRemaining()) {
      if (target.remaining() >= decrypted.capacity()) {
        return readInto(target);
      }
      decrypted.clear();
      int size = readInto(decrypted);
      decrypted.flip();
      if (size < 0) {
        return size;
      }
    }
    int size = Math.min(target.remaining(), decrypted.remaining());
    target.put(decrypted.slice().limit(size));
    decrypted.position(decrypted.position() + size);
    return size;
  }

  private int readInto(ByteBuffer target) throws IOException {
    int before = target.position();
    while (target.position() == before) {
      if (!decryptTo(target)) {
        return -1;
      }
      // As with a change of keys, which the other side may ask for at any time.
      while (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK
          || engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
        step(engine.getHandshakeStatus());
      }
    }
    return target.position() - before;
  }

  /** Decrypts what there is; returns false if the other side has closed it. */
  private boolean decryptTo(ByteBuffer target) throws IOException {
    while (true) {
      SSLEngineResult result = engine.unwrap(incoming, target);
      switch (result.getStatus()) {
        case OK -> {
          return true;
        }
        case CLOSED -> {
          return false;
        }
        case BUFFER_OVERFLOW -> throw new SSLException("a record is larger than TLS allows");
        case BUFFER_UNDERFLOW -> {
          if (!fill()) {
            return false;
          }
        }
      }
    }
  }

  /** Reads more encrypted bytes; returns false at their end. */
  private boolean fill() throws IOException {
    incoming.compact();
    try {
      return socket.read(incoming) >= 0;
    } finally {
      incoming.flip();
    }
  }

  @Override
  public boolean write(ByteBuffer[] parts) throws IOException {
    int first = 0;
    while (flush()) {
      while (first < parts.length && !parts[first].hasRemaining()) {
        first++;
      }
      if (first == parts.length) {
        return true;
      }
      encrypt(first == 0 ? parts : Arrays.copyOfRange(parts, first, parts.length));
      if (!outgoing.hasRemaining()) {
        throw new SSLException("the other side has to say something first, and never does");
      }
    }
    return false;
  }

  /** Fills what goes to the socket next; it is empty before. */
  private void encrypt(ByteBuffer[] parts) throws IOException {
    outgoing.clear();
    try {
      SSLEngineResult result;
      do {
        result = engine.wrap(parts, outgoing);
        if (result.getStatus() == Status.CLOSED) {
          throw new SSLException("the connection is closed");
        }
        if (parts != NOTHING && result.bytesConsumed() + result.bytesProduced() == 0) {
          break; // There is no room for one more record.
        }
      } while (result.getStatus() == Status.OK
          && result.bytesConsumed() > 0
          && parts[parts.length - 1].hasRemaining());
    } finally {
      outgoing.flip();
    }
  }

  /** Returns whether all that is encrypted has gone. */
  private boolean flush() throws IOException {
    while (outgoing.hasRemaining()) {
      int written = socket.write(outgoing);
      if (written == 0) {
        return false;
      }
      writtenBytes.addAndGet(written);
    }
    return true;
  }

  @Override
  public void blockWriters(boolean wait) throws IOException {
    socket.configureBlocking(wait);
  }

  @Override
  public long writtenBytes() {
    return writtenBytes.get();
  }

  @Override
  public void close() throws IOException {
    socket.close();
    dropEngine();
  }

  /** An engine in native code has memory there until it is closed both ways. */
  private void dropEngine() {
    engine.closeOutbound();
    try {
      engine.closeInbound();
    } catch (SSLException e) {
      // The other side has not said that it ends; none does.
    }
  }
}
