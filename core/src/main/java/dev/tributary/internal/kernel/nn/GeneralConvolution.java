package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The kernel of Conv, which leaves to its inputs whether it is a convolution of images or of
 * volumes: it has the attributes of both in one form.
 */
public final class GeneralConvolution {
  private static final int IMAGE_RANK = 4;
  private static final int VOLUME_RANK = 5;

  private GeneralConvolution() {}

  public static Kernel kernel(KernelNode node) {
    ElementTypes.requireReal(node.type());
    int rank = node.attributes().integers("strides").length;
    if (rank == IMAGE_RANK) {
      ConvSpec spec = image(node.attributes());
      long groups = node.attributes().integer("groups");
      return context -> {
        requireGroups(context, groups, node.attributes());
        ConvKernels.forward(context, spec);
      };
    }
    if (rank != VOLUME_RANK || node.attributes().integer("groups") != 1) {
      throw TributaryException.unimplemented(
          "no kernel for strides %s and %d groups; there are some for images (4 strides) in any"
              + " number of groups and for volumes (5 strides) in one",
          Arrays.toString(node.attributes().integers("strides")),
          node.attributes().integer("groups"));
    }
    return VolumeConvolution.forward(
        new KernelNode(
            node.name(),
            node.op(),
            inFormat(node.attributes(), "NDHWC", "NCDHW"),
            node.inputTypes(),
            node.outputTypes(),
            node.device(),
            node.functions()));
  }

  /** The shape of the result, if that of the inputs is known well enough. */
  public static Shape output(Attributes attributes, Shape input, Shape filter) {
    int rank = attributes.integers("strides").length;
    boolean fits = input.hasRank() && input.rank() == rank && filter.hasRank();
    if (attributes.integer("batch_dims") != 1 || !fits || filter.rank() != rank) {
      return Shape.unknown();
    }
    return switch (rank) {
      case IMAGE_RANK -> image(attributes).output(input, filter);
      case VOLUME_RANK ->
          VolumeSpec.of(inFormat(attributes, "NDHWC", "NCDHW")).output(input, filter);
      default -> Shape.unknown();
    };
  }

  private static ConvSpec image(Attributes attributes) {
    return ConvSpec.of(inFormat(attributes, "NHWC", "NCHW"));
  }

  private static Attributes inFormat(Attributes attributes, String last, String first) {
    if (attributes.integer("batch_dims") != 1) {
      throw TributaryException.unimplemented(
          "no kernel for batch_dims = %d; reshape the input so that it has one",
          attributes.integer("batch_dims"));
    }
    Map<String, AttrValue> values = new HashMap<>(attributes.asMap());
    boolean isLast = attributes.string("data_format").equals("CHANNELS_LAST");
    values.put("data_format", AttrValue.of(isLast ? last : first));
    if (attributes.integers("dilations").length == 0) {
      long[] ones = new long[attributes.integers("strides").length];
      Arrays.fill(ones, 1);
      values.put("dilations", AttrValue.ofInts(ones));
    }
    return Attributes.of(values);
  }

  private static void requireGroups(KernelContext context, long groups, Attributes attributes) {
    Tensor input = context.input(0);
    Tensor filter = context.input(1);
    if (input.rank() != IMAGE_RANK || filter.rank() != IMAGE_RANK) {
      throw TributaryException.invalidArgument(
          "input and filter must have rank 4 for 4 strides, got shapes %s and %s",
          input.shape(), filter.shape());
    }
    boolean isLast = attributes.string("data_format").equals("CHANNELS_LAST");
    long channels = input.shape().size(isLast ? 3 : 1);
    if (channels != groups * filter.shape().size(2)) {
      throw TributaryException.invalidArgument(
          "%d groups of a filter of depth %d need as many channels, got input shape %s",
          groups, filter.shape().size(2), input.shape());
    }
  }
}
