package dev.tributary.internal.kernel.onednn;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_FROM;
import static org.bytedeco.dnnl.global.dnnl.dnnl_eltwise_elu;
import static org.bytedeco.dnnl.global.dnnl.dnnl_eltwise_tanh;
import static org.bytedeco.dnnl.global.dnnl.dnnl_post_ops_append_eltwise;
import static org.bytedeco.dnnl.global.dnnl.dnnl_post_ops_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_post_ops_destroy;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_attr_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_attr_destroy;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_attr_set_post_ops;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_attr_set_scales_mask;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_attr_set_scratchpad_mode;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_desc_destroy;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_desc_query;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_desc_query_md;
import static org.bytedeco.dnnl.global.dnnl.dnnl_query_impl_info_str;
import static org.bytedeco.dnnl.global.dnnl.dnnl_scratchpad_mode_user;
import static org.bytedeco.dnnl.global.dnnl.dnnl_success;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Activation;
import java.util.Optional;
import java.util.function.Consumer;
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

  /** A call that appends what a primitive's result goes through, and its status. */
  @FunctionalInterface
  interface PostOperations {
    int append(dnnl_post_ops operations);
  }

  private final dnnl_primitive_desc handle;

  private Description(dnnl_primitive_desc handle) {
    this.handle = handle;
  }

  /** Fails with UNIMPLEMENTED where the library has no such primitive. */
  static Description of(Creation creation) {
    return of(creation, attributes -> {});
  }

  /** The same with factors along these dimensions, a set of bits, of what is read. */
  static Description scaled(Creation creation, int dimensions) {
    return of(
        creation,
        attributes ->
            Library.check(
                dnnl_primitive_attr_set_scales_mask(attributes, DNNL_ARG_FROM, dimensions),
                "scales"));
  }

  /**
   * A description of a primitive whose result goes through {@code activation}. Fails with
   * UNIMPLEMENTED also where the library has nothing but its loop for reference, which is slower
   * than our own.
   */
  static Description fast(Creation creation, Activation activation) {
    return fast(creation, following(activation));
  }

  /** The same with other operations before the activation. */
  static Description fast(Creation creation, PostOperations first, Activation activation) {
    final PostOperations all =
        following(activation)
            .<PostOperations>map(
                last ->
                    operations -> {
                      final int status = first.append(operations);
                      return status == dnnl_success ? last.append(operations) : status;
                    })
            .orElse(first);
    return fast(creation, Optional.of(all));
  }

  /** The same with any operations on the result. */
  static Description fast(Creation creation, PostOperations operations) {
    return fast(creation, Optional.of(operations));
  }

  private static Description fast(Creation creation, Optional<PostOperations> operations) {
    final Description result =
        of(creation, attributes -> operations.ifPresent(wanted -> follow(attributes, wanted)));
    if (result.code().startsWith("ref")) {
      result.close();
      throw TributaryException.unimplemented("oneDNN has only a reference for it");
    }
    return result;
  }

  private static Description of(Creation creation, Consumer<dnnl_primitive_attr> settings) {
    final dnnl_primitive_attr attributes = new dnnl_primitive_attr();
    Library.check(dnnl_primitive_attr_create(attributes), "attributes");
    try {
      Library.check(
          dnnl_primitive_attr_set_scratchpad_mode(attributes, dnnl_scratchpad_mode_user),
          "scratchpad mode");
      settings.accept(attributes);
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

  private static Optional<PostOperations> following(Activation activation) {
    return switch (activation) {
      case NONE -> Optional.empty();
      case RELU, RELU6 -> throw new AssertionError(activation);
      case ELU -> Optional.of(o -> dnnl_post_ops_append_eltwise(o, dnnl_eltwise_elu, 1, 0));
      case TANH -> Optional.of(o -> dnnl_post_ops_append_eltwise(o, dnnl_eltwise_tanh, 0, 0));
    };
  }

  private static void follow(dnnl_primitive_attr attributes, PostOperations wanted) {
    final dnnl_post_ops operations = new dnnl_post_ops();
    Library.check(dnnl_post_ops_create(operations), "post-operations");
    try {
      Library.check(wanted.append(operations), "post-operation");
      Library.check(dnnl_primitive_attr_set_post_ops(attributes, operations), "post-operations");
    } finally {
      dnnl_post_ops_destroy(operations);
    }
  }
}
