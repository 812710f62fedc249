package dev.tributary.cluster.internal.rpc;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.security.TlsFiles;
import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLException;

/** TLS as gRPC wants it, from PEM files. Files that are no good are INVALID_ARGUMENT. */
final class TlsContexts {
  private TlsContexts() {}

  static SslContext ofServer(TlsFiles files) {
    return server(files, GrpcSslContexts::configure);
  }

  static SslContext ofClient(TlsFiles files) {
    return client(files, GrpcSslContexts::configure);
  }

  /** For what is not HTTP. */
  static SslContext ofServerStreams(TlsFiles files) {
    return server(files, TlsContexts::configureStreams);
  }

  static SslContext ofClientStreams(TlsFiles files) {
    return client(files, TlsContexts::configureStreams);
  }

  private static SslContextBuilder configureStreams(SslContextBuilder context) {
    return context.protocols("TLSv1.3");
  }

  private static SslContext server(TlsFiles files, UnaryOperator<SslContextBuilder> protocol) {
    TlsFiles.Identity identity =
        files
            .identity()
            .orElseThrow(
                () ->
                    TributaryException.invalidArgument(
                        "a server with TLS needs a certificate and a private key of its own"));
    return build(
        () ->
            protocol
                .apply(
                    SslContextBuilder.forServer(readable(identity.certificate()), keyOf(identity)))
                .trustManager(readable(files.authorities()))
                .clientAuth(files.mutual() ? ClientAuth.REQUIRE : ClientAuth.NONE));
  }

  private static SslContext client(TlsFiles files, UnaryOperator<SslContextBuilder> protocol) {
    return build(
        () -> {
          SslContextBuilder context =
              protocol
                  .apply(SslContextBuilder.forClient())
                  .trustManager(readable(files.authorities()));
          files
              .identity()
              .ifPresent(own -> context.keyManager(readable(own.certificate()), keyOf(own)));
          return context;
        });
  }

  private interface Settings {
    SslContextBuilder read();
  }

  private static SslContext build(Settings settings) {
    try {
      return settings.read().build();
    } catch (SSLException | IllegalArgumentException e) {
      // Netty's text names the file.
      throw new TributaryException(
          ErrorCode.INVALID_ARGUMENT,
          "TLS cannot be set up (TlsFiles; --tls or --mutual-tls): " + e.getMessage(),
          e);
    }
  }

  private static File keyOf(TlsFiles.Identity identity) {
    return readable(identity.privateKey());
  }

  private static File readable(Path file) {
    if (!Files.isReadable(file)) {
      throw TributaryException.invalidArgument(
          "TLS: the file %s cannot be read (TlsFiles; --tls or --mutual-tls)", file);
    }
    return file.toFile();
  }
}
