/** A program as users write it, on the module path or the class path. */
module dev.tributary.compat {
  requires dev.tributary.cluster;
  requires dev.tributary.natives;
  requires org.bouncycastle.pkix; // Optional in dev.tributary.cluster: makes the certificates.

  exports dev.tributary.compat;
}
