package dev.tributary.internal.op;

import dev.tributary.error.TributaryException;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Nodes whose op is the name of a function, with the attributes of the call as their own. */
public final class NativeCall {
  private NativeCall() {}

  /** Returns the call that a node with this declaration makes. */
  public static AttrValue.Function of(OpDef function, Attributes attributes) {
    Map<String, AttrValue> bound = new HashMap<>(attributes.asMap());
    bound.keySet().removeIf(name -> !function.hasAttribute(name));
    return new AttrValue.Function(function.name(), bound);
  }

  /** The declaration of a function of this signature as an op. */
  public static OpDeclaration declaration(OpDef signature) {
    return new OpDeclaration(
        signature,
        context -> infer(context, signature),
        Optional.empty(),
        node -> {
          throw TributaryException.internal(
              "%s '%s' is the call of a function and was not expanded", node.op(), node.name());
        },
        Optional.empty(),
        FlowKind.NONE,
        Set.of(OpFlag.NATIVE_CALL));
  }

  private static void infer(InferenceContext context, OpDef signature) {
    context.outputs(context.results(of(signature, context.attributes()), context.argumentsFrom(0)));
  }
}
