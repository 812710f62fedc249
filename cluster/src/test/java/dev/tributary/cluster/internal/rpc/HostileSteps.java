package dev.tributary.cluster.internal.rpc;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Nodes that take a size, or a few bytes that stand for many, and would make too much of them. */
final class HostileSteps {
  /** Of a list of as many elements as the number says. */
  static final List<String> LISTS = List.of("list_set:0", "list_stack:0", "list_join:0");

  /** Of transforms as long as the vector says. */
  static final List<String> TRANSFORMS = List.of("rfft:0", "irfft:0", "fft:0");

  private HostileSteps() {}

  /**
   * @param n a vector of one number
   * @param size a number
   */
  static void add(Ops tf, Output n, Output size) {
    Output list =
        tf.scope()
            .operation("TensorListReserve")
            .input(tf.constant(new int[0]))
            .input(size)
            .attr("element_dtype", DataType.FLOAT)
            .buildOutput();
    Output set =
        tf.scope()
            .operation("TensorListSetItem")
            .input(list)
            .input(tf.sub(size, tf.constant(1)))
            .input(tf.constant(1f))
            .buildOutput();
    tf.withName("list_set").identity(stacked(tf, set));
    tf.withName("list_stack").identity(stacked(tf, list));
    tf.withName("list_join").identity(stacked(tf, doubled(tf, list)));
    Output real = tf.fill(tf.constant(new int[] {8}), tf.constant(1f));
    tf.withName("rfft").scope().operation("RFFT").input(real).input(n).buildOutput();
    Output complex =
        tf.scope()
            .operation("Complex")
            .input(real)
            .input(real)
            .attr("Tout", DataType.COMPLEX64)
            .buildOutput();
    tf.withName("irfft").scope().operation("IRFFT").input(complex).input(n).buildOutput();
    Output many = tf.fill(n, tf.constant(1f));
    tf.withName("fft")
        .scope()
        .operation("FFT")
        .input(
            tf.scope()
                .operation("Complex")
                .input(many)
                .input(many)
                .attr("Tout", DataType.COMPLEX64)
                .buildOutput())
        .buildOutput();
    Output bytes = tf.withName("bytes").placeholder(DataType.STRING, Shape.scalar());
    tf.withName("image").scope().operation("DecodeImage").input(bytes).buildOutput();
    tf.withName("unpacked")
        .scope()
        .operation("DecodeCompressed")
        .input(bytes)
        .attr("compression_type", "GZIP")
        .buildOutput();
  }

  private static Output stacked(Ops tf, Output list) {
    return tf.scope()
        .operation("TensorListStack")
        .input(list)
        .input(tf.constant(new int[0]))
        .attr("element_dtype", DataType.FLOAT)
        .buildOutput();
  }

  private static Output doubled(Ops tf, Output list) {
    return tf.scope()
        .operation("TensorListConcatLists")
        .input(list)
        .input(list)
        .attr("element_dtype", DataType.FLOAT)
        .buildOutput();
  }
}
