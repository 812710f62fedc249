package dev.tributary.cluster.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FileDescriptor;
import dev.tributary.kernel.Cancellation;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.protobuf.ProtoFileDescriptorSupplier;
import java.util.ArrayList;
import java.util.List;

/** Puts a service together from its procedures. Confined to one thread. */
final class RpcService {
  private final String name;
  private final ProtoFileDescriptorSupplier file;
  private final Cancellation stopping;
  private final List<ServerMethodDefinition<ByteString, ByteString>> methods = new ArrayList<>();

  /**
   * @param file where the service is declared, for reflection
   * @param stopping ends the calls that are left when the server stops
   */
  RpcService(String name, FileDescriptor file, Cancellation stopping) {
    this.name = name;
    this.file = () -> file;
    this.stopping = stopping;
  }

  <Q, R> RpcService with(Rpc<Q, R> rpc, RpcHandler<Q, R> handler) {
    methods.add(
        ServerMethodDefinition.create(rpc.method(), new UnaryHandler<>(rpc, handler, stopping)));
    return this;
  }

  ServerServiceDefinition build() {
    ServiceDescriptor.Builder descriptor =
        ServiceDescriptor.newBuilder(name).setSchemaDescriptor(file);
    for (ServerMethodDefinition<ByteString, ByteString> method : methods) {
      MethodDescriptor<ByteString, ByteString> declared = method.getMethodDescriptor();
      descriptor.addMethod(declared);
    }
    ServerServiceDefinition.Builder service = ServerServiceDefinition.builder(descriptor.build());
    methods.forEach(service::addMethod);
    return service.build();
  }
}
