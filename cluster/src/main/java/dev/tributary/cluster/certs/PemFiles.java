package dev.tributary.cluster.certs;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivateKey;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaMiscPEMGenerator;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.util.io.pem.PemObjectGenerator;
import org.bouncycastle.util.io.pem.PemWriter;

/** Certificates and keys in PEM files. Only the files' owner can read keys. */
final class PemFiles {
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private PemFiles() {}

  static void write(SignedIdentity identity, Path certificate, Path privateKey) throws IOException {
    Files.deleteIfExists(privateKey);
    boolean posix = privateKey.getFileSystem().supportedFileAttributeViews().contains("posix");
    Files.createFile(
        privateKey, posix ? new FileAttribute<?>[] {OWNER_ONLY} : new FileAttribute<?>[0]);
    write(privateKey, new JcaPKCS8Generator(identity.privateKey(), null));
    write(certificate, new JcaMiscPEMGenerator(identity.certificate()));
  }

  static SignedIdentity read(Path certificate, Path privateKey) throws IOException {
    X509CertificateHolder holder = read(certificate, X509CertificateHolder.class);
    PrivateKey key = new JcaPEMKeyConverter().getPrivateKey(read(privateKey, PrivateKeyInfo.class));
    return new SignedIdentity(holder, key);
  }

  private static void write(Path file, PemObjectGenerator content) throws IOException {
    try (Writer text = Files.newBufferedWriter(file);
        PemWriter pem = new PemWriter(text)) {
      pem.writeObject(content);
    }
  }

  private static <T> T read(Path file, Class<T> wanted) throws IOException {
    try (PEMParser parser = new PEMParser(Files.newBufferedReader(file))) {
      Object found = parser.readObject();
      if (!wanted.isInstance(found)) {
        throw new TributaryException(
            ErrorCode.INVALID_ARGUMENT, file + " holds no " + wanted.getSimpleName());
      }
      return wanted.cast(found);
    }
  }
}
