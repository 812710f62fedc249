package dev.tributary.internal.wire;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.op.ArgDef;
import dev.tributary.internal.op.AttrDef;
import dev.tributary.internal.op.OpDef;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.OpDeprecation;

/** Op signatures as messages have them. Descriptions, which only people read, are left out. */
public final class OpDefs {
  private OpDefs() {}

  // ---- encoding ----

  public static org.tensorflow.proto.OpDef toProto(OpDef def) {
    var proto =
        org.tensorflow.proto.OpDef.newBuilder()
            .setName(def.name())
            .setIsStateful(def.isStateful())
            .setIsCommutative(def.isCommutative())
            .setIsAggregate(def.isAggregate())
            .setAllowsUninitializedInput(def.allowsUninitializedInput())
            .setIsDistributedCommunication(def.isDistributedCommunication());
    def.inputs().forEach(input -> proto.addInputArg(toProto(input)));
    def.outputs().forEach(output -> proto.addOutputArg(toProto(output)));
    def.attributes().forEach(attribute -> proto.addAttr(toProto(attribute)));
    def.deprecatedAt()
        .ifPresent(
            d ->
                proto.setDeprecation(
                    OpDeprecation.newBuilder()
                        .setVersion(d.version())
                        .setExplanation(d.explanation())));
    return proto.build();
  }

  private static org.tensorflow.proto.OpDef.ArgDef toProto(ArgDef argument) {
    var proto =
        org.tensorflow.proto.OpDef.ArgDef.newBuilder()
            .setName(argument.name())
            .setIsRef(argument.isRef());
    argument.type().ifPresent(type -> proto.setType(TypeProtos.toProto(type)));
    argument.typeAttr().ifPresent(proto::setTypeAttr);
    argument.numberAttr().ifPresent(proto::setNumberAttr);
    argument.typeListAttr().ifPresent(proto::setTypeListAttr);
    return proto.build();
  }

  private static org.tensorflow.proto.OpDef.AttrDef toProto(AttrDef attribute) {
    var proto =
        org.tensorflow.proto.OpDef.AttrDef.newBuilder()
            .setName(attribute.name())
            .setType(attribute.type());
    attribute.defaultValue().ifPresent(value -> proto.setDefaultValue(AttrValues.toProto(value)));
    attribute.minimum().ifPresent(minimum -> proto.setHasMinimum(true).setMinimum(minimum));
    if (!attribute.allowed().isEmpty()) {
      proto.setAllowedValues(AttrValues.toProto(new AttrValue.ListValue(attribute.allowed())));
    }
    return proto.build();
  }

  // ---- decoding ----

  public static OpDef toOpDef(org.tensorflow.proto.OpDef proto) {
    return new OpDef(
        proto.getName(),
        proto.getInputArgList().stream().map(OpDefs::toArgDef).toList(),
        proto.getOutputArgList().stream().map(OpDefs::toArgDef).toList(),
        proto.getAttrList().stream().map(OpDefs::toAttrDef).toList(),
        proto.getIsStateful(),
        proto.getIsCommutative(),
        proto.getIsAggregate(),
        proto.getAllowsUninitializedInput(),
        proto.getIsDistributedCommunication(),
        proto.hasDeprecation()
            ? Optional.of(
                new OpDef.Deprecation(
                    proto.getDeprecation().getVersion(), proto.getDeprecation().getExplanation()))
            : Optional.empty());
  }

  private static ArgDef toArgDef(org.tensorflow.proto.OpDef.ArgDef proto) {
    Optional<DataType> type =
        proto.getTypeValue() == 0
            ? Optional.empty()
            : Optional.of(TypeProtos.toType(proto.getTypeValue()));
    return new ArgDef(
        proto.getName(),
        type,
        given(proto.getTypeAttr()),
        given(proto.getNumberAttr()),
        given(proto.getTypeListAttr()),
        proto.getIsRef());
  }

  private static AttrDef toAttrDef(org.tensorflow.proto.OpDef.AttrDef proto) {
    List<AttrValue> allowed =
        proto.hasAllowedValues()
                && AttrValues.toAttrValue(proto.getAllowedValues())
                    instanceof AttrValue.ListValue list
            ? list.values()
            : List.of();
    return new AttrDef(
        proto.getName(),
        proto.getType(),
        proto.hasDefaultValue() ? Optional.of(toDefault(proto)) : Optional.empty(),
        proto.getHasMinimum() ? Optional.of(proto.getMinimum()) : Optional.empty(),
        allowed);
  }

  /** A tensor is that of a signature, which nobody would ever close. */
  private static AttrValue toDefault(org.tensorflow.proto.OpDef.AttrDef proto) {
    AttrValue value = AttrValues.toAttrValue(proto.getDefaultValue());
    if (!(value instanceof AttrValue.TensorValue)) {
      return value;
    }
    try (Tensor tensor = ((AttrValue.TensorValue) value).value()) {
      if (tensor.type() != DataType.UINT8 || tensor.rank() != 1) {
        throw TributaryException.unimplemented(
            "attribute '%s' has a tensor for default: %s of shape %s, wanted a vector of uint8",
            proto.getName(), tensor.type().lowerName(), tensor.shape());
      }
      return new AttrValue.ByteVector(tensor.toBytes());
    }
  }

  private static Optional<String> given(String attribute) {
    return attribute.isEmpty() ? Optional.empty() : Optional.of(attribute);
  }
}
