/**
 * TensorFlow's gRPC services, both sides. The only package that imports gRPC and protobuf's
 * runtime.
 */
package dev.tributary.cluster.rpc;
