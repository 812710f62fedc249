package dev.tributary.graph.wire;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.op.ArgDef;
import dev.tributary.internal.op.AttrDef;
import dev.tributary.internal.op.OpDef;
import java.util.Optional;

/** Checks signatures that came in a message, which need not make sense as those of ops do. */
final class FunctionSignatures {
  private FunctionSignatures() {}

  /** Fails if an argument or result has no type, or one by an attribute that cannot give it. */
  static void requireValid(OpDef signature) {
    signature.inputs().forEach(input -> requireValid(input, signature));
    signature.outputs().forEach(output -> requireValid(output, signature));
  }

  private static void requireValid(ArgDef argument, OpDef signature) {
    int types =
        (argument.type().isPresent() ? 1 : 0)
            + (argument.typeAttr().isPresent() ? 1 : 0)
            + (argument.typeListAttr().isPresent() ? 1 : 0);
    if (types != 1 || argument.typeListAttr().isPresent() && argument.numberAttr().isPresent()) {
      throw TributaryException.invalidArgument(
          "argument '%s' must have one type, type attribute or type list", argument.name());
    }
    requireAttribute(argument, argument.typeAttr(), "type", signature);
    requireAttribute(argument, argument.numberAttr(), "int", signature);
    requireAttribute(argument, argument.typeListAttr(), "list(type)", signature);
  }

  private static void requireAttribute(
      ArgDef argument, Optional<String> name, String type, OpDef signature) {
    if (name.isEmpty()) {
      return;
    }
    AttrDef attribute = signature.attribute(name.get());
    if (!attribute.type().equals(type)) {
      throw TributaryException.invalidArgument(
          "argument '%s' needs attribute '%s' to be a %s, it is a %s",
          argument.name(), attribute.name(), type, attribute.type());
    }
  }
}
