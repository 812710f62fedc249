package dev.tributary.cluster.internal.stream;

import dev.tributary.security.TlsFiles;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.security.Security;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;

/** The same with Java's TLS, which is used where the native one does not load. */
class JavaTlsStepTransportTest extends TlsStepTransportTest {
  static {
    // It changes its keys after so many bytes: 2^37 by default, which no test sends. Read once by a
    // process, so it holds if this is the first test there to use Java's TLS.
    Security.setProperty("jdk.tls.keyLimits", "AES/GCM/NoPadding KeyUpdate 2^20");
  }

  @Override
  Optional<Supplier<SSLEngine>> serverTls() throws Exception {
    TlsFiles files = ofServer();
    TlsFiles.Identity identity = files.identity().orElseThrow();
    return engines(
        SslContextBuilder.forServer(file(identity, true), file(identity, false))
            .clientAuth(ClientAuth.REQUIRE),
        files);
  }

  @Override
  Optional<Supplier<SSLEngine>> callerTls() throws Exception {
    TlsFiles files = ofCaller();
    TlsFiles.Identity identity = files.identity().orElseThrow();
    return engines(
        SslContextBuilder.forClient().keyManager(file(identity, true), file(identity, false)),
        files);
  }

  private static Optional<Supplier<SSLEngine>> engines(SslContextBuilder context, TlsFiles files)
      throws Exception {
    SslContext built =
        context
            .sslProvider(SslProvider.JDK)
            .trustManager(files.authorities().toFile())
            .protocols("TLSv1.3")
            .build();
    return Optional.of(() -> built.newEngine(UnpooledByteBufAllocator.DEFAULT, HOST, -1));
  }

  private static File file(TlsFiles.Identity identity, boolean certificate) {
    return (certificate ? identity.certificate() : identity.privateKey()).toFile();
  }
}
