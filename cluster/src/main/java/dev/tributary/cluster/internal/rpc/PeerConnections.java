package dev.tributary.cluster.internal.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;

/**
 * Makes the connections to a peer and observes them below gRPC, whose errors describe in words only
 * what became of one. Any bytes that arrive are reported: while one large message is on its way,
 * answers and checks wait behind it, but its receiver says each time that it has read half a
 * window. Safe for use by many threads.
 */
final class PeerConnections {
  /** The state of the connection that ended last. */
  enum LastEnd {
    /** None has ended since the peer last spoke HTTP/2. */
    NONE,
    /** The other side closed it without a word. */
    WITHOUT_ANSWER,
    /** The other side does not speak HTTP/2. */
    FOREIGN_ANSWER,
    /** The other side closed it after it had spoken HTTP/2. */
    AFTER_ANSWER
  }

  /** The place of the type in a frame, and the type of the frame that HTTP/2 begins with. */
  private static final int TYPE_OFFSET = 3;

  private static final int SETTINGS = 4;

  private final Runnable onBytes;
  private volatile LastEnd lastEnd = LastEnd.NONE;

  PeerConnections(Runnable onBytes) {
    this.onBytes = onBytes;
  }

  LastEnd lastEnd() {
    return lastEnd;
  }

  Channel newChannel() {
    Channel channel = new NioSocketChannel();
    channel.pipeline().addFirst(new Observer());
    return channel;
  }

  /** The first handler of a connection, so that it sees bytes before TLS and gRPC do. */
  private final class Observer extends ChannelInboundHandlerAdapter {
    private int bytes;
    private boolean active;
    private boolean answered;

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
      active = true;
      super.channelActive(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
      onBytes.run();
      if (bytes <= TYPE_OFFSET && message instanceof ByteBuf buffer) {
        look(context, buffer);
      }
      super.channelRead(context, message);
    }

    /** Looks at the beginning of what the other side says; TLS has an answer of its own. */
    private void look(ChannelHandlerContext context, ByteBuf buffer) {
      SslHandler tls = context.pipeline().get(SslHandler.class);
      int type = TYPE_OFFSET - bytes;
      if (tls != null && bytes == 0) {
        tls.handshakeFuture().addListener(done -> answeredByTls(tls));
      }
      bytes += buffer.readableBytes();
      if (tls == null && bytes > TYPE_OFFSET) {
        answered(buffer.getByte(buffer.readerIndex() + type) == SETTINGS);
      }
    }

    private void answeredByTls(SslHandler tls) {
      if (tls.handshakeFuture().isSuccess()) {
        answered(ApplicationProtocolNames.HTTP_2.equals(tls.applicationProtocol()));
      }
    }

    private void answered(boolean isHttp2) {
      answered = true;
      lastEnd = isHttp2 ? LastEnd.NONE : LastEnd.FOREIGN_ANSWER;
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
      if (active && !answered) {
        lastEnd = LastEnd.WITHOUT_ANSWER;
      } else if (active && lastEnd == LastEnd.NONE) {
        lastEnd = LastEnd.AFTER_ANSWER;
      }
      super.channelInactive(context);
    }
  }
}
