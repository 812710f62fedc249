/**
 * Tensors, ops, graphs, gradients, the executor and the local session.
 *
 * <p>oneDNN is optional: a program that wants it requires {@code dev.tributary.natives}, too. What
 * is exported to other modules of Tributary only is not for programs.
 */
@SuppressWarnings("module") // The modules that some packages are exported to are built later.
module dev.tributary.core {
  requires transitive com.google.protobuf;
  requires transitive org.tensorflow.ndarray;
  requires transitive tensorflow.nativelib;
  requires java.desktop; // Decodes and encodes images.
  requires java.management;
  requires jdk.management;
  requires jdk.unsupported; // Tensors live in memory that sun.misc.Unsafe reads and writes.
  requires org.slf4j;
  requires re2j; // Regular expressions of RE2's syntax.
  requires static com.google.errorprone.annotations; // For the compiler.
  requires static org.bytedeco.dnnl;
  requires static org.bytedeco.javacpp;
  requires static org.bytedeco.opencl;

  uses dev.tributary.session.SessionFactory;

  exports dev.tributary.error;
  exports dev.tributary.gradients;
  exports dev.tributary.graph;
  exports dev.tributary.graph.wire;
  exports dev.tributary.op;
  exports dev.tributary.ops;
  exports dev.tributary.record;
  exports dev.tributary.security;
  exports dev.tributary.session;
  exports dev.tributary.tensor;
  exports dev.tributary.trace;
  exports dev.tributary.internal.bundle to
      dev.tributary.train;
  exports dev.tributary.internal.collective to
      dev.tributary.cluster;
  exports dev.tributary.internal.concurrent to
      dev.tributary.cluster,
      dev.tributary.train;
  exports dev.tributary.internal.event to
      dev.tributary.train;
  exports dev.tributary.internal.executor to
      dev.tributary.cluster;
  exports dev.tributary.internal.file to
      dev.tributary.cluster,
      dev.tributary.train;
  exports dev.tributary.internal.function to
      dev.tributary.cluster;
  exports dev.tributary.internal.kernel to
      dev.tributary.cluster;
  exports dev.tributary.internal.kernel.flow to
      dev.tributary.train;
  exports dev.tributary.internal.kernel.plain to
      dev.tributary.cluster;
  exports dev.tributary.internal.kernel.random to
      dev.tributary.train;
  exports dev.tributary.internal.library to
      dev.tributary.cluster,
      dev.tributary.train;
  exports dev.tributary.internal.memory to
      dev.tributary.cluster;
  exports dev.tributary.internal.op to
      dev.tributary.cluster;
  exports dev.tributary.internal.partition to
      dev.tributary.cluster;
  exports dev.tributary.internal.pipeline to
      dev.tributary.train;
  exports dev.tributary.internal.placement to
      dev.tributary.cluster;
  exports dev.tributary.internal.plan to
      dev.tributary.cluster;
  exports dev.tributary.internal.plan.wire to
      dev.tributary.cluster;
  exports dev.tributary.internal.rendezvous to
      dev.tributary.cluster;
  exports dev.tributary.internal.rewrite to
      dev.tributary.cluster;
  exports dev.tributary.internal.session.wire to
      dev.tributary.cluster,
      dev.tributary.train;
  exports dev.tributary.internal.step to
      dev.tributary.cluster;
  exports dev.tributary.internal.tensor to
      dev.tributary.cluster,
      dev.tributary.train;
  exports dev.tributary.internal.wire to
      dev.tributary.cluster,
      dev.tributary.train;
  exports dev.tributary.internal.time to
      dev.tributary.cluster,
      dev.tributary.train;
}
