package dev.tributary.bench.jmh;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC_0;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC_1;
import static org.bytedeco.dnnl.global.dnnl.dnnl_a;
import static org.bytedeco.dnnl.global.dnnl.dnnl_binary_add;
import static org.bytedeco.dnnl.global.dnnl.dnnl_binary_mul;
import static org.bytedeco.dnnl.global.dnnl.dnnl_binary_primitive_desc_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_cpu;
import static org.bytedeco.dnnl.global.dnnl.dnnl_eltwise_forward_primitive_desc_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_eltwise_relu;
import static org.bytedeco.dnnl.global.dnnl.dnnl_engine_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_f32;
import static org.bytedeco.dnnl.global.dnnl.dnnl_forward_inference;
import static org.bytedeco.dnnl.global.dnnl.dnnl_memory_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_memory_desc_create_with_tag;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_destroy;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_execute;
import static org.bytedeco.dnnl.global.dnnl.dnnl_sgemm;
import static org.bytedeco.dnnl.global.dnnl.dnnl_stream_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_stream_default_flags;
import static org.bytedeco.dnnl.global.dnnl.dnnl_stream_wait;
import static org.bytedeco.dnnl.global.dnnl.dnnl_success;

import org.bytedeco.dnnl.dnnl_engine;
import org.bytedeco.dnnl.dnnl_exec_arg_t;
import org.bytedeco.dnnl.dnnl_memory;
import org.bytedeco.dnnl.dnnl_memory_desc;
import org.bytedeco.dnnl.dnnl_primitive;
import org.bytedeco.dnnl.dnnl_primitive_desc;
import org.bytedeco.dnnl.dnnl_stream;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Pointer;

/**
 * One oneDNN primitive over vectors at fixed addresses, and its sgemm, called without Tributary:
 * what the hardware gives. Confined to one thread.
 */
final class RawOneDnn implements AutoCloseable {
  private final dnnl_stream stream = new dnnl_stream();
  private final dnnl_primitive primitive = new dnnl_primitive();
  private final dnnl_exec_arg_t arguments;
  private final int count;

  /** A call that describes a primitive over vectors of one layout, and its status. */
  @FunctionalInterface
  private interface Creation {
    int create(dnnl_primitive_desc result, dnnl_engine engine, dnnl_memory_desc layout);
  }

  private RawOneDnn(long elements, Creation creation, int[] names, long... addresses) {
    dnnl_engine engine = new dnnl_engine();
    check(dnnl_engine_create(engine, dnnl_cpu, 0));
    check(dnnl_stream_create(stream, engine, dnnl_stream_default_flags));
    dnnl_memory_desc layout = new dnnl_memory_desc();
    check(dnnl_memory_desc_create_with_tag(layout, 1, new long[] {elements}, dnnl_f32, dnnl_a));
    dnnl_primitive_desc description = new dnnl_primitive_desc();
    check(creation.create(description, engine, layout));
    check(dnnl_primitive_create(primitive, description));
    count = names.length;
    arguments = new dnnl_exec_arg_t(count);
    for (int i = 0; i < count; i++) {
      dnnl_memory memory = new dnnl_memory();
      check(dnnl_memory_create(memory, layout, engine, new At(addresses[i])));
      arguments.position(i).arg(names[i]).memory(memory);
    }
    arguments.position(0);
  }

  static RawOneDnn add(long elements, long a, long b, long out) {
    return pairs(dnnl_binary_add, elements, a, b, out);
  }

  static RawOneDnn mul(long elements, long a, long b, long out) {
    return pairs(dnnl_binary_mul, elements, a, b, out);
  }

  static RawOneDnn relu(long elements, long a, long out) {
    return new RawOneDnn(
        elements,
        (result, engine, layout) ->
            dnnl_eltwise_forward_primitive_desc_create(
                result,
                engine,
                dnnl_forward_inference,
                dnnl_eltwise_relu,
                layout,
                layout,
                0,
                0,
                null),
        new int[] {DNNL_ARG_SRC_0, DNNL_ARG_DST},
        a,
        out);
  }

  /** c = a b for square matrices. */
  static int sgemm(long size, long a, long b, long c) {
    byte plain = 'N';
    return dnnl_sgemm(
        plain, plain, size, size, size, 1, new At(a), size, new At(b), size, 0, new At(c), size);
  }

  int run() {
    return dnnl_primitive_execute(primitive, stream, count, arguments) + dnnl_stream_wait(stream);
  }

  /** The rest ends with the process. */
  @Override
  public void close() {
    dnnl_primitive_destroy(primitive);
  }

  private static RawOneDnn pairs(int function, long elements, long a, long b, long out) {
    return new RawOneDnn(
        elements,
        (result, engine, layout) ->
            dnnl_binary_primitive_desc_create(
                result, engine, function, layout, layout, layout, null),
        new int[] {DNNL_ARG_SRC_0, DNNL_ARG_SRC_1, DNNL_ARG_DST},
        a,
        b,
        out);
  }

  private static void check(int status) {
    if (status != dnnl_success) {
      throw new IllegalStateException("oneDNN failed with status " + status);
    }
  }

  /** Memory that belongs to somebody else. */
  private static final class At extends FloatPointer {
    At(long address) {
      super((Pointer) null);
      this.address = address;
    }
  }
}
