package dev.tributary.cluster.certs;

import java.security.PrivateKey;
import org.bouncycastle.cert.X509CertificateHolder;

/** A certificate and the key that belongs to it. */
record SignedIdentity(X509CertificateHolder certificate, PrivateKey privateKey) {}
