package dev.tributary.kernel.onednn;

import static org.bytedeco.dnnl.global.dnnl.dnnl_data_type_undef;
import static org.bytedeco.dnnl.global.dnnl.dnnl_eltwise_elu;
import static org.bytedeco.dnnl.global.dnnl.dnnl_eltwise_tanh;
import static org.bytedeco.dnnl.global.dnnl.dnnl_post_ops_append_eltwise;
import static org.bytedeco.dnnl.global.dnnl.dnnl_post_ops_append_sum;
import static org.bytedeco.dnnl.global.dnnl.dnnl_post_ops_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_post_ops_destroy;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_attr_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_attr_destroy;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_attr_set_post_ops;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_attr_set_scratchpad_mode;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_desc_destroy;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_desc_query;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_desc_query_md;
import static org.bytedeco.dnnl.global.dnnl.dnnl_query_impl_info_str;
import static org.bytedeco.dnnl.global.dnnl.dnnl_scratchpad_mode_user;
import static org.bytedeco.dnnl.global.dnnl.dnnl_success;

import dev.tributary.error.TributaryException;
import dev.tributary.kernel.Activation;
import java.util.function.ToIntFunction;
import org.bytedeco.dnnl.dnnl_memory_desc;
import org.bytedeco.dnnl.dnnl_post_ops;
import org.bytedeco.dnnl.dnnl_primitive_attr;
import org.bytedeco.dnnl.dnnl_primitive_desc;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.PointerPointer;

/**
 * A primitive's description: what it computes, on which layouts, with which code. All take their
 * scratchpad from the caller.
 */
final class Description implements AutoCloseable {
  /** A call that creates a description, and its status. */
  @FunctionalInterface
  interface Creation {
    int create(dnnl_primitive_desc result, dnnl_primitive_attr attributes);
  }

  private final dnnl_primitive_desc handle;

  private Description(dnnl_primitive_desc handle) {
    this.handle = handle;
  }

  /** Fails with UNIMPLEMENTED where the library has no such primitive. */
  static Description of(Creation creation) {
    return of(creation, operations -> dnnl_success);
  }

  /**
   * A description of a primitive whose result goes through {@code activation}. Fails with
   * UNIMPLEMENTED also where the library has nothing but its loop for reference, which is slower
   * than our own.
   */
  static Description fast(Creation creation, Activation activation) {
    return fast(of(creation, operations -> append(operations, activation)));
  }

  /** The same for a primitive whose result is added to what its destination holds. */
  static Description adding(Creation creation) {
    return fast(
        of(
            creation,
            operations -> dnnl_post_ops_append_sum(operations, 1f, 0, dnnl_data_type_undef)));
  }

  private static Description fast(Description result) {
    if (result.code().startsWith("ref")) {
      result.close();
      throw TributaryException.unimplemented("oneDNN has only a reference for it");
    }
    return result;
  }

  private static Description of(Creation creation, ToIntFunction<dnnl_post_ops> postOps) {
    final dnnl_primitive_attr attributes = new dnnl_primitive_attr();
    Library.check(dnnl_primitive_attr_create(attributes), "attributes");
    try {
      Library.check(
          dnnl_primitive_attr_set_scratchpad_mode(attributes, dnnl_scratchpad_mode_user),
          "scratchpad mode");
      follow(attributes, postOps);
      final dnnl_primitive_desc result = new dnnl_primitive_desc();
      Library.check(creation.create(result, attributes), "primitive description");
      return new Description(result);
    } finally {
      dnnl_primitive_attr_destroy(attributes);
    }
  }

  dnnl_primitive_desc handle() {
    return handle;
  }

  /** The layout of an argument, owned by this description. */
  dnnl_memory_desc layout(int query) {
    return dnnl_primitive_desc_query_md(handle, query, 0);
  }

  /** The name of the code that the library chose. */
  String code() {
    try (PointerPointer<BytePointer> name = new PointerPointer<>(1)) {
      Library.check(dnnl_primitive_desc_query(handle, dnnl_query_impl_info_str, 0, name), "query");
      return new BytePointer(name.get(0)).getString();
    }
  }

  @Override
  public void close() {
    dnnl_primitive_desc_destroy(handle);
  }

  private static void follow(dnnl_primitive_attr attributes, ToIntFunction<dnnl_post_ops> append) {
    final dnnl_post_ops operations = new dnnl_post_ops();
    Library.check(dnnl_post_ops_create(operations), "post-operations");
    try {
      Library.check(append.applyAsInt(operations), "post-operation");
      Library.check(dnnl_primitive_attr_set_post_ops(attributes, operations), "post-operations");
    } finally {
      dnnl_post_ops_destroy(operations);
    }
  }

  private static int append(dnnl_post_ops operations, Activation activation) {
    return switch (activation) {
      case NONE -> dnnl_success;
      case RELU, RELU6 -> throw new AssertionError(activation);
      case ELU -> dnnl_post_ops_append_eltwise(operations, dnnl_eltwise_elu, 1, 0);
      case TANH -> dnnl_post_ops_append_eltwise(operations, dnnl_eltwise_tanh, 0, 0);
    };
  }
}
