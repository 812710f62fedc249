/** Servers, masters and workers on TensorFlow's gRPC protocol, and sessions at their targets. */
module dev.tributary.cluster {
  requires transitive dev.tributary.core;
  requires com.google.common;
  requires com.google.common.util.concurrent.internal; // Guava's module does not require it.
  requires com.google.gson;
  requires io.grpc;
  requires io.grpc.netty;
  requires io.grpc.protobuf;
  requires io.grpc.services;
  requires io.netty.buffer;
  requires io.netty.codec.http2; // Used by gRPC, whose modules require nothing.
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.transport;
  requires java.logging; // gRPC's.
  requires java.naming; // Reads the subjects of certificates.
  requires jdk.net;
  requires jdk.unsupported;
  requires org.slf4j;
  requires static com.google.errorprone.annotations; // For the compiler.
  requires static org.bouncycastle.pkix; // Makes certificates.
  requires static org.bouncycastle.provider;

  exports dev.tributary.cluster.certs;
  exports dev.tributary.cluster.server;
  exports dev.tributary.cluster.spec;
  // Reads the fields of generated messages by reflection.
  exports dev.tributary.cluster.internal.rpc.message to
      com.google.protobuf;

  provides dev.tributary.session.SessionFactory with
      dev.tributary.cluster.internal.session.GrpcSessionFactory;
  provides dev.tributary.session.TaskServerFactory with
      dev.tributary.cluster.internal.taskserver.ClusterTaskServers;
}
