package dev.tributary.internal.kernel.onednn;

import static org.bytedeco.dnnl.global.dnnl.dnnl_a;
import static org.bytedeco.dnnl.global.dnnl.dnnl_f32;
import static org.bytedeco.dnnl.global.dnnl.dnnl_format_tag_any;
import static org.bytedeco.dnnl.global.dnnl.dnnl_memory_desc_create_with_strides;
import static org.bytedeco.dnnl.global.dnnl.dnnl_memory_desc_create_with_tag;
import static org.bytedeco.dnnl.global.dnnl.dnnl_memory_desc_destroy;
import static org.bytedeco.dnnl.global.dnnl.dnnl_nchw;
import static org.bytedeco.dnnl.global.dnnl.dnnl_nhwc;

import dev.tributary.internal.kernel.ImageFormat;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.dnnl.dnnl_memory_desc;

/**
 * Makes memory descriptors of float tensors, and frees them when closed. oneDNN names the
 * dimensions of images batch, channels, height, width, whatever their order in memory is.
 */
final class Layouts implements AutoCloseable {
  private final List<dnnl_memory_desc> made = new ArrayList<>();

  /** A layout that the library chooses. */
  dnnl_memory_desc any(long... sizes) {
    return tagged(dnnl_format_tag_any, sizes);
  }

  dnnl_memory_desc vector(long size) {
    return tagged(dnnl_a, size);
  }

  /** Element (i, j, ...) lies {@code i * strides[0] + j * strides[1] + ...} behind the first. */
  dnnl_memory_desc strided(long[] sizes, long... strides) {
    final dnnl_memory_desc result = next();
    Library.check(
        dnnl_memory_desc_create_with_strides(result, sizes.length, sizes, dnnl_f32, strides),
        "memory descriptor");
    return result;
  }

  dnnl_memory_desc image(ImageFormat format, long batch, long channels, long height, long width) {
    final int tag = format == ImageFormat.NHWC ? dnnl_nhwc : dnnl_nchw;
    return tagged(tag, batch, channels, height, width);
  }

  /** Pixels of channels, where it does not matter which pixels belong to an image. */
  dnnl_memory_desc channelsLast(long pixels, long channels) {
    return tagged(dnnl_nhwc, 1, channels, pixels, 1);
  }

  /** Images of channels of pixels, where it does not matter how the pixels form rows. */
  dnnl_memory_desc channelsFirst(long batch, long channels, long pixels) {
    return tagged(dnnl_nchw, batch, channels, pixels, 1);
  }

  @Override
  public void close() {
    made.forEach(layout -> dnnl_memory_desc_destroy(layout));
  }

  private dnnl_memory_desc tagged(int tag, long... sizes) {
    final dnnl_memory_desc result = next();
    Library.check(
        dnnl_memory_desc_create_with_tag(result, sizes.length, sizes, dnnl_f32, tag),
        "memory descriptor");
    return result;
  }

  private dnnl_memory_desc next() {
    final dnnl_memory_desc result = new dnnl_memory_desc();
    made.add(result);
    return result;
  }
}
