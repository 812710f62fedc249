package dev.tributary.cluster.rpc;

import com.google.protobuf.ByteString;
import io.grpc.MethodDescriptor;

/** One remote procedure: its path, and how its request and its response look. Immutable. */
record Rpc<Q, R>(
    MethodDescriptor<ByteString, ByteString> method, Codec<Q> request, Codec<R> response) {

  static <Q, R> Rpc<Q, R> of(String service, String name, Codec<Q> request, Codec<R> response) {
    MethodDescriptor<ByteString, ByteString> method =
        MethodDescriptor.newBuilder(MessageBytes.INSTANCE, MessageBytes.INSTANCE)
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(MethodDescriptor.generateFullMethodName(service, name))
            .build();
    return new Rpc<>(method, request, response);
  }

  String name() {
    return method.getBareMethodName();
  }
}
