package dev.tributary.cluster.certs;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Signs certificates of a cluster's tasks and clients, all with keys on the curve P-256. Immutable.
 */
final class CertificateAuthority {
  /** Clocks of other machines may be late. */
  private static final Duration EARLY = Duration.ofHours(1);

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int SERIAL_BITS = 127;

  private final SignedIdentity own;
  private final Clock clock;
  private final Duration validity;

  CertificateAuthority(SignedIdentity own, Clock clock, Duration validity) {
    this.own = own;
    this.clock = clock;
    this.validity = validity;
  }

  /** A new one that signs for itself. */
  static CertificateAuthority create(Clock clock, Duration validity) {
    KeyPair keys = newKeys();
    X500Name name = name("Tributary cluster authority");
    try {
      X509v3CertificateBuilder certificate =
          builder(name, name, keys, clock.instant(), validity)
              .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
              .addExtension(
                  Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
      SignedIdentity own =
          new SignedIdentity(sign(certificate, keys.getPrivate()), keys.getPrivate());
      return new CertificateAuthority(own, clock, validity);
    } catch (IOException e) {
      throw impossible(e);
    }
  }

  SignedIdentity own() {
    return own;
  }

  /** The roles that a certificate names in its subject, as organizational unit. */
  enum Role {
    TASK,
    CLIENT,
    ADMIN;

    private String unit() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** For a task, which others find under these hosts and which calls others itself. */
  SignedIdentity signTask(String commonName, List<GeneralName> hosts) {
    return sign(
        name(commonName, Role.TASK),
        hosts,
        new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth});
  }

  /** Signs a certificate for callers that are not tasks. */
  SignedIdentity signClient(String commonName, Role role) {
    return sign(
        name(commonName, role), List.of(), new KeyPurposeId[] {KeyPurposeId.id_kp_clientAuth});
  }

  private SignedIdentity sign(X500Name subject, List<GeneralName> hosts, KeyPurposeId[] purposes) {
    KeyPair keys = newKeys();
    X509CertificateHolder authority = own.certificate();
    try {
      JcaX509ExtensionUtils extensions = new JcaX509ExtensionUtils();
      X509v3CertificateBuilder certificate =
          builder(authority.getSubject(), subject, keys, clock.instant(), validity);
      certificate
          .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
          .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
          .addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purposes))
          .addExtension(
              Extension.authorityKeyIdentifier,
              false,
              extensions.createAuthorityKeyIdentifier(authority));
      if (!hosts.isEmpty()) {
        certificate.addExtension(
            Extension.subjectAlternativeName,
            false,
            new GeneralNames(hosts.toArray(new GeneralName[0])));
      }
      return new SignedIdentity(sign(certificate, own.privateKey()), keys.getPrivate());
    } catch (IOException | GeneralSecurityException e) {
      throw impossible(e);
    }
  }

  private static X509v3CertificateBuilder builder(
      X500Name issuer, X500Name subject, KeyPair keys, Instant now, Duration validity)
      throws IOException {
    try {
      JcaX509v3CertificateBuilder certificate =
          new JcaX509v3CertificateBuilder(
              issuer,
              new BigInteger(SERIAL_BITS, RANDOM).setBit(SERIAL_BITS - 1),
              Date.from(now.minus(EARLY)),
              Date.from(now.plus(validity)),
              subject,
              keys.getPublic());
      certificate.addExtension(
          Extension.subjectKeyIdentifier,
          false,
          new JcaX509ExtensionUtils().createSubjectKeyIdentifier(keys.getPublic()));
      return certificate;
    } catch (GeneralSecurityException e) {
      throw impossible(e);
    }
  }

  private static X509CertificateHolder sign(X509v3CertificateBuilder certificate, PrivateKey key) {
    try {
      return certificate.build(new JcaContentSignerBuilder("SHA256withECDSA").build(key));
    } catch (OperatorCreationException e) {
      throw impossible(e);
    }
  }

  private static KeyPair newKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw impossible(e);
    }
  }

  private static X500Name name(String commonName) {
    return new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, commonName).build();
  }

  private static X500Name name(String commonName, Role role) {
    return new X500NameBuilder(BCStyle.INSTANCE)
        .addRDN(BCStyle.OU, role.unit())
        .addRDN(BCStyle.CN, commonName)
        .build();
  }

  /** Every Java runtime has these algorithms. */
  private static IllegalStateException impossible(Exception e) {
    return new IllegalStateException(e);
  }
}
