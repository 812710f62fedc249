package dev.tributary.cluster.internal.rpc;

import dev.tributary.security.TlsFiles;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/** TLS for streams, from the files that gRPC's is made from. */
public final class StreamTls {
  private static final int NO_PORT = -1;

  private StreamTls() {}

  /**
   * Makes engines that show a server's certificate and, if that is wanted, ask for the caller's.
   */
  public static Supplier<SSLEngine> ofServer(TlsFiles files) {
    SslContext context = TlsContexts.ofServerStreams(files);
    return () -> context.newEngine(UnpooledByteBufAllocator.DEFAULT);
  }

  /** Makes engines for callers of a host, which check that the certificate is the host's. */
  public static Function<String, SSLEngine> ofClient(TlsFiles files) {
    SslContext context = TlsContexts.ofClientStreams(files);
    return host -> {
      SSLEngine engine = context.newEngine(UnpooledByteBufAllocator.DEFAULT, host, NO_PORT);
      SSLParameters parameters = engine.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      engine.setSSLParameters(parameters);
      return engine;
    };
  }
}
