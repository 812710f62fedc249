package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import io.grpc.MethodDescriptor;

/**
 * One remote procedure: its path, and how its request and its response look. Immutable.
 *
 * @param method as a client calls it
 */
record Rpc<Q, R>(
    MethodDescriptor<ByteString, ReceivedMessage> method, Codec<Q> request, Codec<R> response) {

  static <Q, R> Rpc<Q, R> of(String service, String name, Codec<Q> request, Codec<R> response) {
    MethodDescriptor<ByteString, ReceivedMessage> method =
        MethodDescriptor.newBuilder(MessageBytes.INSTANCE, ReceivedMessage.MARSHALLER)
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(MethodDescriptor.generateFullMethodName(service, name))
            .build();
    return new Rpc<>(method, request, response);
  }

  /** The method as a server registers it. */
  MethodDescriptor<ReceivedMessage, ByteString> served() {
    return method.toBuilder(ReceivedMessage.MARSHALLER, MessageBytes.INSTANCE).build();
  }

  String name() {
    return method.getBareMethodName();
  }
}
