package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** Texts of OpenSSL and of the JDK about both sides of a handshake. */
class HandshakesTest {
  @Test
  void reason_certificateOfAnotherAuthority_namesWhoDoesNotTrustIt() {
    SSLException own = new SSLHandshakeException("General OpenSslEngine problem");
    own.initCause(new CertificateException(new CertPathValidatorException("Path does not chain")));

    assertThat(Handshakes.reason(own, "the server"))
        .startsWith("this side does not trust the certificate of the server")
        .endsWith("Path does not chain");
  }

  @Test
  void reason_alertOfTheOtherSide_saysThatItDoesNotTrust() {
    for (String alert :
        new String[] {
          "error:10000438:SSL routines:OPENSSL_internal:TLSV1_ALERT_INTERNAL_ERROR",
          "error:10000418:SSL routines:OPENSSL_internal:TLSV1_ALERT_UNKNOWN_CA",
          "error:10000416:SSL routines:OPENSSL_internal:SSLV3_ALERT_CERTIFICATE_UNKNOWN",
          "Received fatal alert: certificate_unknown",
          "Received fatal alert: internal_error"
        }) {
      assertThat(Handshakes.reason(new SSLException(alert), "the caller"))
          .startsWith("the caller does not trust the certificate of this side: ")
          .doesNotContain("SSL routines");
    }
  }

  @Test
  void reason_noCertificate_namesWhoMissesIt() {
    assertThat(
            Handshakes.reason(
                new SSLException("error:1:SSL routines:x:PEER_DID_NOT_RETURN_A_CERTIFICATE"),
                "the caller"))
        .isEqualTo("the caller shows no certificate, and this side wants one");
    assertThat(
            Handshakes.reason(
                new SSLException("error:1:SSL routines:x:TLSV1_ALERT_CERTIFICATE_REQUIRED"),
                "the server"))
        .isEqualTo("the server wants a certificate of this side, which shows none");
  }

  @Test
  void reason_certificateForAnotherHost_saysSo() {
    SSLException failure = new SSLHandshakeException("General OpenSslEngine problem");
    failure.initCause(
        new CertificateException("No subject alternative DNS name matching localhost found."));

    assertThat(Handshakes.reason(failure, "the server"))
        .contains("is for other hosts")
        .contains("localhost");
  }
}
