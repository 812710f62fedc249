package dev.tributary.graph.wire;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.op.ArgDef;
import dev.tributary.internal.op.AttrDef;
import dev.tributary.internal.op.OpDef;
import dev.tributary.internal.wire.AttrValues;
import dev.tributary.internal.wire.TypeProtos;
import dev.tributary.op.AttrValue;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NameAttrList;
import org.tensorflow.proto.NodeDef;

/** The values that a call gives to the attributes of a function's signature. Immutable. */
final class BoundAttributes {
  private static final int LONGEST_LIST = 1 << 20;

  private final OpDef signature;
  private final Map<String, AttrValue> values = new HashMap<>();

  BoundAttributes(OpDef signature, Map<String, AttrValue> given) {
    this.signature = signature;
    for (AttrDef attribute : signature.attributes()) {
      AttrValue value = given.get(attribute.name());
      if (value == null) {
        value =
            attribute
                .defaultValue()
                .orElseThrow(
                    () ->
                        TributaryException.notFound(
                            "Attr %s is not found from Op<%s>: the call must give a %s",
                            attribute.name(), signature.name(), attribute.type()));
      }
      boolean anyList = attribute.isList() && value.typeName().equals("list(?)");
      if (!anyList && !value.typeName().equals(attribute.type())) {
        throw TributaryException.invalidArgument(
            "attribute '%s' must be a %s, got %s %s",
            attribute.name(), attribute.type(), value.typeName(), value);
      }
      values.put(attribute.name(), value);
    }
  }

  /** The types of the tensors of an argument or result. */
  List<DataType> typesOf(ArgDef argument) {
    if (argument.typeListAttr().isPresent()) {
      return ((AttrValue.ListValue) value(argument.typeListAttr().get()))
          .values().stream().map(type -> AttrValues.toProto(type).getType()).toList();
    }
    DataType type =
        argument.type().isPresent()
            ? TypeProtos.toProto(argument.type().get())
            : AttrValues.toProto(value(argument.typeAttr().get())).getType();
    if (argument.numberAttr().isEmpty()) {
      return List.of(type);
    }
    return Collections.nCopies(
        count(argument, ((AttrValue.Int) value(argument.numberAttr().get())).value()), type);
  }

  /** The length of a list, which a damaged number must not make larger than the memory. */
  static int count(ArgDef argument, long count) {
    if (count < 0 || count > LONGEST_LIST) {
      throw TributaryException.invalidArgument(
          "attribute '%s' gives '%s' %d values, wanted 0 to %d",
          argument.numberAttr().orElse(""), argument.name(), count, LONGEST_LIST);
    }
    return (int) count;
  }

  /** A value of a node's attribute, with the function's attributes in place of placeholders. */
  org.tensorflow.proto.AttrValue replace(org.tensorflow.proto.AttrValue value, NodeDef node) {
    return switch (value.getValueCase()) {
      case PLACEHOLDER -> {
        AttrValue found = values.get(value.getPlaceholder());
        if (found == null) {
          throw TributaryException.invalidArgument(
              "Failed to bind all placeholders in %s: the function has no attribute '%s', it has"
                  + " %s",
              node.getName(), value.getPlaceholder(), values.keySet());
        }
        yield AttrValues.toProto(found);
      }
      case FUNC -> value.toBuilder().setFunc(replace(value.getFunc(), node)).build();
      case LIST -> {
        if (value.getList().getFuncCount() == 0) {
          yield value;
        }
        org.tensorflow.proto.AttrValue.Builder built = value.toBuilder();
        for (int i = 0; i < value.getList().getFuncCount(); i++) {
          built.getListBuilder().setFunc(i, replace(value.getList().getFunc(i), node));
        }
        yield built.build();
      }
      default -> value;
    };
  }

  private NameAttrList replace(NameAttrList function, NodeDef node) {
    NameAttrList.Builder built = function.toBuilder();
    function.getAttrMap().forEach((name, value) -> built.putAttr(name, replace(value, node)));
    return built.build();
  }

  private AttrValue value(String attribute) {
    AttrValue value = values.get(attribute);
    if (value == null) {
      throw TributaryException.invalidArgument(
          "the signature has no attribute '%s'; it has %s",
          attribute, signature.attributes().stream().map(AttrDef::name).toList());
    }
    return value;
  }
}
