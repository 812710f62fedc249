package dev.tributary.cluster.internal.rpc;

import dev.tributary.cluster.internal.protocol.RareLog;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listening socket that logs the callers whose TLS handshakes fail, since gRPC only drops them.
 * Confined to one event loop.
 */
final class RefusedHandshakes extends NioServerSocketChannel {
  private static final Logger LOG = LoggerFactory.getLogger(RefusedHandshakes.class);

  private final RareLog refusals = new RareLog(LOG::warn);

  @Override
  protected int doReadMessages(List<Object> accepted) throws Exception {
    int before = accepted.size();
    int count = super.doReadMessages(accepted);
    for (Object channel : accepted.subList(before, accepted.size())) {
      ((Channel) channel).pipeline().addFirst(new Watch());
    }
    return count;
  }

  /** Waits for the first bytes: by then gRPC has put its TLS handler into the pipeline. */
  private final class Watch extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
      SslHandler tls = context.pipeline().get(SslHandler.class);
      if (tls != null) {
        tls.handshakeFuture().addListener(handshake -> logFailure(context.channel(), handshake));
      }
      context.fireChannelRead(bytes);
      context.pipeline().remove(this);
    }
  }

  private void logFailure(Channel channel, Future<? super Channel> handshake) {
    Throwable cause = handshake.cause();
    if (cause != null && !(cause instanceof ClosedChannelException)) {
      String reason =
          cause instanceof NotSslRecordException
              ? "it does not speak TLS"
              : Handshakes.reason(cause, "the caller");
      refusals.write("refused a connection from " + channel.remoteAddress() + ": " + reason);
    }
  }
}
