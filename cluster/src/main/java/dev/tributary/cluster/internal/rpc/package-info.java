/**
 * TensorFlow's gRPC services, both sides. The only package that imports gRPC and protobuf's
 * runtime. Entry types: {@link dev.tributary.cluster.internal.rpc.GrpcServer}, {@link
 * dev.tributary.cluster.internal.rpc.GrpcMaster}, {@link
 * dev.tributary.cluster.internal.rpc.GrpcWorkers}.
 *
 * <p>{@code MasterService} and {@code WorkerService} declare each procedure once: its path and two
 * codecs. The {@code *Messages} classes hold the codecs by theme. For gRPC a message is just bytes:
 * those that go out stand on tensor memory, those that came in on network buffers. Elements go from
 * the one to gRPC's buffers and from the other into a new tensor, and through nothing between that
 * is as large as they are.
 */
package dev.tributary.cluster.internal.rpc;
