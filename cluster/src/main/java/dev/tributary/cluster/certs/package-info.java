/**
 * Certificates for the tasks and clients of a cluster. {@link
 * dev.tributary.cluster.certs.ClusterCertificates} makes them, which needs BouncyCastle's {@code
 * bcpkix} on the classpath; {@link dev.tributary.cluster.certs.CertificateFolder} finds them again,
 * which needs nothing. The only package that imports BouncyCastle; servers do not.
 */
package dev.tributary.cluster.certs;
