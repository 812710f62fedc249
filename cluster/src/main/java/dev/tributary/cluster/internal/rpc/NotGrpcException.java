package dev.tributary.cluster.internal.rpc;

/** The cause of a failed call whose answer came from a server that does not speak gRPC. */
final class NotGrpcException extends RuntimeException {
  private static final long serialVersionUID = 1;

  NotGrpcException(String contentType, Throwable cause) {
    super("answered with content of type " + contentType, cause);
  }
}
