package dev.tributary.graph;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.op.ArgDef;
import dev.tributary.internal.op.AttrDef;
import dev.tributary.internal.op.OpDef;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/**
 * Matches the inputs and attributes of an operation in the making with its op's definition: works
 * out the attributes that follow from inputs, adds defaults, refuses what does not fit. Confined to
 * the building of one operation.
 */
final class Signature {
  /**
   * Far more than any op has use for, and little enough that a damaged number cannot fill the
   * memory.
   */
  private static final int LONGEST_LIST = 1 << 20;

  private final OpDef def;
  private final SortedMap<String, AttrValue> attributes;

  /** Takes over the attributes given by the client and completes them in place. */
  Signature(OpDef def, SortedMap<String, AttrValue> attributes) {
    this.def = def;
    this.attributes = attributes;
  }

  /** Binds one list of values to each input argument. */
  void bind(List<List<Output>> arguments) {
    if (arguments.size() != def.inputs().size()) {
      throw TributaryException.invalidArgument(
          "op %s takes %d inputs %s, got %d",
          def.name(),
          def.inputs().size(),
          def.inputs().stream().map(ArgDef::name).toList(),
          arguments.size());
    }
    for (int i = 0; i < arguments.size(); i++) {
      bind(def.inputs().get(i), arguments.get(i));
    }
    complete();
  }

  /** Binds a flat list of values, cut into arguments by the attributes that give their lengths. */
  void bindFlat(List<Output> values) {
    complete();
    int at = 0;
    for (int i = 0; i < def.inputs().size(); i++) {
      ArgDef argument = def.inputs().get(i);
      int count = countOf(argument);
      if (at + count > values.size()) {
        throw TributaryException.invalidArgument(
            "op %s needs %d values for input '%s', of %d inputs %d are left",
            def.name(), count, argument.name(), values.size(), values.size() - at);
      }
      bind(argument, values.subList(at, at + count));
      at += count;
    }
    if (at != values.size()) {
      throw TributaryException.invalidArgument(
          "op %s takes %d inputs, got %d", def.name(), at, values.size());
    }
  }

  /** To be called once, when all of it is bound. */
  Attributes attributes() {
    return Attributes.takingOver(attributes);
  }

  List<AttrValue.Type> outputTypes() {
    List<AttrValue.Type> types = new ArrayList<>(def.outputs().size());
    for (int i = 0; i < def.outputs().size(); i++) {
      ArgDef argument = def.outputs().get(i);
      if (argument.typeListAttr().isPresent()) {
        listOf(argument.typeListAttr().get())
            .forEach(t -> types.add(outputType(argument, ((AttrValue.Type) t).value())));
        continue;
      }
      DataType type =
          argument.type().isPresent()
              ? argument.type().get()
              : ((AttrValue.Type) attributes.get(argument.typeAttr().get())).value();
      AttrValue.Type output = outputType(argument, type);
      for (int count = countOf(argument); count > 0; count--) {
        types.add(output);
      }
    }
    return types;
  }

  private static AttrValue.Type outputType(ArgDef argument, DataType type) {
    return argument.isRef() ? new AttrValue.Type(type, true) : AttrValue.Type.of(type);
  }

  /**
   * Returns how many values an argument takes. The attributes are complete by now, and checked to
   * be of their types.
   */
  private int countOf(ArgDef argument) {
    if (argument.numberAttr().isEmpty()) {
      return argument.typeListAttr().isPresent() ? listOf(argument.typeListAttr().get()).size() : 1;
    }
    long count = ((AttrValue.Int) attributes.get(argument.numberAttr().get())).value();
    if (count < 0 || count > LONGEST_LIST) {
      throw TributaryException.invalidArgument(
          "attribute '%s' gives '%s' %d values, wanted 0 to %d",
          argument.numberAttr().get(), argument.name(), count, LONGEST_LIST);
    }
    return (int) count;
  }

  private List<AttrValue> listOf(String attribute) {
    return ((AttrValue.ListValue) attributes.get(attribute)).values();
  }

  private void bind(ArgDef argument, List<Output> values) {
    if (!argument.isList() && values.size() != 1) {
      throw TributaryException.invalidArgument(
          "input '%s' takes one value, got a list of %d", argument.name(), values.size());
    }
    if (argument.typeListAttr().isPresent()) {
      infer(
          argument.typeListAttr().get(),
          AttrValue.ofTypes(values.stream().map(Output::type).toList()),
          argument);
    }
    if (argument.numberAttr().isPresent()) {
      infer(argument.numberAttr().get(), AttrValue.of(values.size()), argument);
    }
    for (int i = 0; i < values.size(); i++) {
      Output value = values.get(i);
      if (argument.isRef() && !value.isRef()) {
        throw TributaryException.invalidArgument(
            "input '%s' must be a reference to a variable, got %s", argument.name(), value);
      }
      if (argument.typeAttr().isPresent()) {
        infer(argument.typeAttr().get(), AttrValue.of(value.type()), argument);
      }
      if (argument.type().isPresent() && argument.type().get() != value.type()) {
        throw TributaryException.invalidArgument(
            "input '%s' must be %s, got %s",
            argument.name(), argument.type().get().lowerName(), value);
      }
    }
  }

  private void infer(String attribute, AttrValue value, ArgDef argument) {
    AttrValue given = attributes.putIfAbsent(attribute, value);
    if (given != null && !given.equals(value)) {
      throw TributaryException.invalidArgument(
          "input '%s' makes attribute '%s' %s, but it is %s already",
          argument.name(), attribute, value, given);
    }
  }

  private void complete() {
    for (String given : attributes.keySet()) {
      if (!given.startsWith("_")) {
        def.attribute(given);
      }
    }
    for (int i = 0; i < def.attributes().size(); i++) {
      AttrDef attribute = def.attributes().get(i);
      AttrValue value = attributes.get(attribute.name());
      if (value == null) {
        value =
            attribute
                .defaultValue()
                .orElseThrow(
                    () ->
                        TributaryException.invalidArgument(
                            "attribute '%s' of type %s is missing",
                            attribute.name(), attribute.type()));
        attributes.put(attribute.name(), value);
      }
      check(attribute, value);
    }
  }

  private static void check(AttrDef attribute, AttrValue value) {
    if (value instanceof AttrValue.Placeholder) {
      throw TributaryException.invalidArgument(
          "attribute '%s' stands for an attribute of a function, and the node is in none",
          attribute.name());
    }
    boolean anyList = attribute.isList() && value.typeName().equals("list(?)");
    if (!anyList && !value.typeName().equals(attribute.type())) {
      throw TributaryException.invalidArgument(
          "attribute '%s' must be a %s, got %s %s",
          attribute.name(), attribute.type(), value.typeName(), value);
    }
    List<AttrValue> elements =
        value instanceof AttrValue.ListValue
            ? ((AttrValue.ListValue) value).values()
            : List.of(value);
    for (int i = 0; i < elements.size(); i++) {
      AttrValue element = elements.get(i);
      if (attribute.isList() && !attribute.type().equals("list(" + element.typeName() + ")")) {
        throw TributaryException.invalidArgument(
            "attribute '%s' must be a %s, got %s in it",
            attribute.name(), attribute.type(), element);
      }
      if (!attribute.allowed().isEmpty() && !attribute.allowed().contains(element)) {
        throw TributaryException.invalidArgument(
            "attribute '%s' must be one of %s, got %s",
            attribute.name(), attribute.allowed(), element);
      }
    }
    if (attribute.minimum().isPresent()) {
      long size =
          value instanceof AttrValue.Int ? ((AttrValue.Int) value).value() : elements.size();
      if (size < attribute.minimum().get()) {
        throw TributaryException.invalidArgument(
            "attribute '%s' must be at least %d%s, got %d",
            attribute.name(), attribute.minimum().get(), attribute.isList() ? " long" : "", size);
      }
    }
  }
}
