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
  requires static org.bytedeco.dnnl;
  requires static org.bytedeco.javacpp;
  requires static org.bytedeco.opencl;

  uses dev.tributary.session.SessionFactory;

  exports dev.tributary.bundle;
  exports dev.tributary.error;
  exports dev.tributary.event;
  exports dev.tributary.example;
  exports dev.tributary.gradients;
  exports dev.tributary.graph;
  exports dev.tributary.graph.wire;
  exports dev.tributary.op;
  exports dev.tributary.ops;
  exports dev.tributary.record;
  exports dev.tributary.session;
  exports dev.tributary.tensor;
  exports dev.tributary.executor to
      dev.tributary.cluster;
  exports dev.tributary.kernel to
      dev.tributary.cluster;
  exports dev.tributary.kernel.plain to
      dev.tributary.cluster;
  exports dev.tributary.file to
      dev.tributary.cluster,
      dev.tributary.train;
  exports dev.tributary.partition to
      dev.tributary.cluster;
  exports dev.tributary.placement to
      dev.tributary.cluster;
  exports dev.tributary.plan to
      dev.tributary.cluster;
  exports dev.tributary.plan.wire to
      dev.tributary.cluster;
  exports dev.tributary.rendezvous to
      dev.tributary.cluster;
  exports dev.tributary.rewrite to
      dev.tributary.cluster;
  exports dev.tributary.step to
      dev.tributary.cluster;
  exports dev.tributary.session.wire to
      dev.tributary.cluster,
      dev.tributary.train;
}
