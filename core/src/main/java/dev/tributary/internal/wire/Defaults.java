package dev.tributary.internal.wire;

import dev.tributary.internal.op.AttrDef;
import dev.tributary.internal.op.OpDef;
import dev.tributary.op.AttrValue;
import java.util.Map;
import java.util.Set;

/**
 * The choice of default-valued attributes that are written into a graph message. Readers put back
 * what is left out.
 */
public enum Defaults {
  /** All: the reader needs to know no default. */
  KEEP,
  /**
   * Those that the op had in TensorFlow 1.15 already. A peer older than an attribute refuses a node
   * which has it, even if it says what that peer does anyway.
   */
  STRIP_NEW,
  /** None: the smallest graph. */
  STRIP;

  /** Attributes that ops gained after TensorFlow 1.15, by op. */
  private static final Map<String, Set<String>> NEW =
      Map.ofEntries(
          Map.entry("MatMul", Set.of("grad_a", "grad_b")),
          Map.entry("BatchMatMul", Set.of("grad_x", "grad_y")),
          Map.entry("BatchMatMulV2", Set.of("grad_x", "grad_y")),
          Map.entry("BatchMatMulV3", Set.of("grad_x", "grad_y")),
          Map.entry("VarHandleOp", Set.of("allowed_devices", "debug_name")),
          Map.entry("AssignVariableOp", Set.of("validate_shape")),
          Map.entry("GatherNd", Set.of("bad_indices_policy")),
          Map.entry("ScatterNd", Set.of("bad_indices_policy")),
          Map.entry("ScatterNdUpdate", Set.of("bad_indices_policy")),
          Map.entry("ScatterNdAdd", Set.of("bad_indices_policy")),
          Map.entry("ScatterNdSub", Set.of("bad_indices_policy")),
          Map.entry("ScatterNdNonAliasingAdd", Set.of("bad_indices_policy")),
          Map.entry("ResourceScatterNdUpdate", Set.of("bad_indices_policy")),
          Map.entry("ResourceScatterNdAdd", Set.of("bad_indices_policy")),
          Map.entry("ResourceScatterNdSub", Set.of("bad_indices_policy")),
          Map.entry("TensorScatterUpdate", Set.of("bad_indices_policy")),
          Map.entry("TensorScatterAdd", Set.of("bad_indices_policy")),
          Map.entry("TensorScatterSub", Set.of("bad_indices_policy")),
          Map.entry("MaxPool", Set.of("explicit_paddings")),
          Map.entry("MaxPoolGrad", Set.of("explicit_paddings")),
          Map.entry("MaxPoolGradGrad", Set.of("explicit_paddings")),
          Map.entry("DepthwiseConv2dNative", Set.of("explicit_paddings")),
          Map.entry("DepthwiseConv2dNativeBackpropInput", Set.of("explicit_paddings")),
          Map.entry("DepthwiseConv2dNativeBackpropFilter", Set.of("explicit_paddings")),
          Map.entry("FusedBatchNorm", Set.of("exponential_avg_factor")),
          Map.entry("FusedBatchNormV2", Set.of("exponential_avg_factor")),
          Map.entry("FusedBatchNormV3", Set.of("exponential_avg_factor")),
          Map.entry("SparseSegmentSum", Set.of("sparse_gradient")),
          Map.entry("SparseSegmentMean", Set.of("sparse_gradient")),
          Map.entry("SparseSegmentSqrtN", Set.of("sparse_gradient")),
          Map.entry("SparseSegmentSumWithNumSegments", Set.of("sparse_gradient")),
          Map.entry("SparseSegmentMeanWithNumSegments", Set.of("sparse_gradient")),
          Map.entry("SparseSegmentSqrtNWithNumSegments", Set.of("sparse_gradient")),
          Map.entry("TopKV2", Set.of("Tk", "index_type")),
          Map.entry("MergeV2Checkpoints", Set.of("allow_missing_files")),
          Map.entry("ApplyFtrl", Set.of("multiply_linear_by_lr")),
          Map.entry("ApplyFtrlV2", Set.of("multiply_linear_by_lr")),
          Map.entry("SparseApplyFtrl", Set.of("multiply_linear_by_lr")),
          Map.entry("SparseApplyFtrlV2", Set.of("multiply_linear_by_lr")),
          Map.entry("ResourceApplyFtrl", Set.of("multiply_linear_by_lr")),
          Map.entry("ResourceApplyFtrlV2", Set.of("multiply_linear_by_lr")),
          Map.entry("ResourceSparseApplyFtrl", Set.of("multiply_linear_by_lr")),
          Map.entry("ResourceSparseApplyFtrlV2", Set.of("multiply_linear_by_lr")));

  /** Returns whether an attribute with this value is written. */
  boolean writes(OpDef def, String attribute, AttrValue value) {
    if (this == KEEP || !isDefault(def, attribute, value)) {
      return true;
    }
    return this == STRIP_NEW && !NEW.getOrDefault(def.name(), Set.of()).contains(attribute);
  }

  private static boolean isDefault(OpDef def, String attribute, AttrValue value) {
    for (AttrDef known : def.attributes()) {
      if (known.name().equals(attribute)) {
        return known.defaultValue().filter(value::equals).isPresent();
      }
    }
    return false;
  }
}
