package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Empty;
import dev.tributary.internal.concurrent.Cancellation;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.protobuf.ProtoFileDescriptorSupplier;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** Puts a service together from its procedures. Confined to one thread. */
final class RpcService {
  private final String name;
  private final FileDescriptor file;
  private final Cancellation stopping;
  private final CallerRules rules;
  private final Executor threads;
  private final List<ServerMethodDefinition<ReceivedMessage, ByteString>> methods =
      new ArrayList<>();

  /**
   * @param file where the service is declared, for reflection
   * @param stopping ends the calls that are left when the server stops
   * @param rules how large requests may be, and where they go
   * @param threads decode large requests
   */
  RpcService(
      String name,
      FileDescriptor file,
      Cancellation stopping,
      CallerRules rules,
      Executor threads) {
    this.name = name;
    this.file = file;
    this.stopping = stopping;
    this.rules = rules;
    this.threads = threads;
  }

  <Q, R> RpcService with(Rpc<Q, R> rpc, RpcHandler<Q, R> handler) {
    RequestParts parts = new RequestParts(requestType(rpc), rules.limits());
    methods.add(
        ServerMethodDefinition.create(
            rpc.served(),
            new UnaryHandler<>(
                rpc,
                handler,
                stopping,
                parts,
                rules.memory().allocator(),
                BriefCalls.decoders(rpc.method(), threads))));
    return this;
  }

  /** The declared type of a request; procedures that are only refused are not declared. */
  private Descriptor requestType(Rpc<?, ?> rpc) {
    MethodDescriptor declared =
        file.findServiceByName(name.substring(name.lastIndexOf('.') + 1))
            .findMethodByName(rpc.name());
    return declared == null ? Empty.getDescriptor() : declared.getInputType();
  }

  ServerServiceDefinition build() {
    ServiceDescriptor.Builder descriptor =
        ServiceDescriptor.newBuilder(name)
            .setSchemaDescriptor((ProtoFileDescriptorSupplier) () -> file);
    for (ServerMethodDefinition<ReceivedMessage, ByteString> method : methods) {
      io.grpc.MethodDescriptor<ReceivedMessage, ByteString> declared = method.getMethodDescriptor();
      descriptor.addMethod(declared);
    }
    ServerServiceDefinition.Builder service = ServerServiceDefinition.builder(descriptor.build());
    methods.forEach(service::addMethod);
    return service.build();
  }
}
