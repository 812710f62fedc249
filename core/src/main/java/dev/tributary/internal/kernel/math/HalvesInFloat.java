package dev.tributary.internal.kernel.math;

import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs kernels for float on float16 and bfloat16: inputs are widened, and outputs are rounded once
 * at the end. Stock TensorFlow's kernels for these types do the same, or round more often.
 */
public final class HalvesInFloat {
  private HalvesInFloat() {}

  /** Kernels of a factory; those of nodes whose attribute {@code T} is a half compute in float. */
  public static KernelFactory of(KernelFactory factory) {
    return node -> isHalf(node.type()) ? inFloat(factory, node) : factory.create(node);
  }

  static boolean isHalf(DataType type) {
    return type == DataType.HALF || type == DataType.BFLOAT16;
  }

  /** The type that elements of this type are computed in. */
  static DataType computed(DataType type) {
    return isHalf(type) ? DataType.FLOAT : type;
  }

  private static Kernel inFloat(KernelFactory factory, KernelNode node) {
    Map<String, AttrValue> attributes = new HashMap<>(node.attributes().asMap());
    attributes.put("T", AttrValue.of(DataType.FLOAT));
    Kernel kernel =
        factory.create(
            new KernelNode(
                node.name(),
                node.op(),
                Attributes.of(attributes),
                computed(node.inputTypes()),
                computed(node.outputTypes()),
                node.device(),
                node.functions()));
    return context -> {
      try (FloatCall call = new FloatCall(context, node.outputTypes().size())) {
        kernel.compute(call);
        call.roundOutputs();
      }
    };
  }

  private static List<DataType> computed(List<DataType> types) {
    return types.stream().map(HalvesInFloat::computed).toList();
  }
}
