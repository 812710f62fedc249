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
import javax.net.ssl.SSLException;

/** TLS as gRPC wants it, from PEM files. Files that are no good are INVALID_ARGUMENT. */
final class TlsContexts {
  private TlsContexts() {}

  static SslContext ofServer(TlsFiles files) {
    TlsFiles.Identity identity =
        files
            .identity()
            .orElseThrow(
                () ->
                    TributaryException.invalidArgument(
                        "a server with TLS needs a certificate and a private key of its own"));
    return build(
        () ->
            GrpcSslContexts.forServer(readable(identity.certificate()), keyOf(identity))
                .trustManager(readable(files.authorities()))
                .clientAuth(files.mutual() ? ClientAuth.REQUIRE : ClientAuth.NONE));
  }

  static SslContext ofClient(TlsFiles files) {
    return build(
        () -> {
          SslContextBuilder context =
              GrpcSslContexts.forClient().trustManager(readable(files.authorities()));
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
