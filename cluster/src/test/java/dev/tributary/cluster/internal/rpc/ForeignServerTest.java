package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.cluster.certs.CertificateFolder;
import dev.tributary.cluster.certs.ClusterCertificates;
import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.security.ChannelSecurity;
import dev.tributary.security.TlsFiles;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers that accept connections, but are no servers of gRPC. */
@Timeout(60)
class ForeignServerTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** Netty 4.2 deprecates this class for one that 4.1, which older gRPC versions use, lacks. */
  @SuppressWarnings("deprecation")
  private final EventLoopGroup threads = new NioEventLoopGroup(1);

  @TempDir Path folder;

  @AfterEach
  void close() {
    threads.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  @Test
  void check_http2ServerOfPages_isRefused() {
    int port =
        serve(
            connection -> {
              connection.pipeline().addLast(Http2FrameCodecBuilder.forServer().build());
              connection.pipeline().addLast(new NoSuchPage());
            });

    assertRefused(port, ChannelSecurity.none());
  }

  @Test
  void check_serverOfAnotherProtocol_isRefused() throws Exception {
    try (ServerSocket mail = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      Thread server = new Thread(() -> greet(mail), "mail");
      server.start();

      assertRefused(mail.getLocalPort(), ChannelSecurity.none());

      mail.close();
      server.join(LIMIT.toMillis());
    }
  }

  @Test
  void check_tlsServerWithoutHttp2_isRefused() throws Exception {
    ClusterSpec cluster = ClusterSpec.of(Map.of("local", List.of("localhost:1")));
    CertificateFolder certificates =
        ClusterCertificates.make(folder, cluster, Clock.systemUTC(), Duration.ofDays(1));
    TlsFiles.Identity identity =
        certificates.ofTask(new TaskName("local", 0)).identity().orElseThrow();
    SslContext pages =
        SslContextBuilder.forServer(identity.certificate().toFile(), identity.privateKey().toFile())
            .build();
    int port =
        serve(connection -> connection.pipeline().addLast(pages.newHandler(connection.alloc())));

    assertRefused(port, ChannelSecurity.none().withTls(certificates.ofClient()));
  }

  private static void assertRefused(int port, ChannelSecurity security) {
    try (GrpcMaster master = new GrpcMaster("localhost:" + port, security, LIMIT)) {
      CompletionException thrown =
          catchThrowableOfType(
              CompletionException.class,
              () -> master.check(CallOptions.defaults().within(LIMIT)).join());

      assertThat(thrown.getCause())
          .isInstanceOfSatisfying(
              TributaryException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.FAILED_PRECONDITION))
          .hasMessage("the server there does not speak gRPC; check host and port");
    }
  }

  private int serve(Consumer<Channel> setUp) {
    Channel server =
        new ServerBootstrap()
            .group(threads)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel connection) {
                    setUp.accept(connection);
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .syncUninterruptibly()
            .channel();
    return ((InetSocketAddress) server.localAddress()).getPort();
  }

  private static void greet(ServerSocket server) {
    byte[] greeting = "220 mail.example ready\r\n".getBytes(StandardCharsets.US_ASCII);
    try {
      while (true) {
        Socket caller = server.accept(); // Stays open, as for a caller that may say something.
        caller.getOutputStream().write(greeting);
      }
    } catch (java.io.IOException e) {
      // The test is over.
    }
  }

  private static final class NoSuchPage extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof Http2HeadersFrame asked) {
        context.writeAndFlush(
            new DefaultHttp2HeadersFrame(
                    new DefaultHttp2Headers().status("404").add("content-type", "text/html"), true)
                .stream(asked.stream()));
      }
    }
  }
}
