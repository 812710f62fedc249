package dev.tributary.cluster.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.channel.socket.nio.NioSocketChannel;

/**
 * A connection that reports when any bytes arrive from the other side. While one large message is
 * on its way, answers and checks wait behind it, but its receiver says each time that it has read
 * half a window.
 */
final class HeardChannel extends NioSocketChannel {
  private final Runnable onBytes;

  HeardChannel(Runnable onBytes) {
    this.onBytes = onBytes;
  }

  @Override
  protected int doReadBytes(ByteBuf buffer) throws Exception {
    int bytes = super.doReadBytes(buffer);
    if (bytes > 0) {
      onBytes.run();
    }
    return bytes;
  }
}
