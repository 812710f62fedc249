package dev.tributary.graph.wire;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.library.FunctionBody;
import dev.tributary.internal.library.TracedFunction;
import dev.tributary.internal.op.ArgDef;
import dev.tributary.internal.op.OpDef;
import dev.tributary.internal.wire.Defaults;
import dev.tributary.internal.wire.OpDefs;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** Functions that a program built, as messages have them. */
final class TracedFunctionDefs {
  private TracedFunctionDefs() {}

  static FunctionDef toProto(TracedFunction function) {
    FunctionBody body = function.body();
    FunctionDef.Builder proto =
        FunctionDef.newBuilder().setSignature(OpDefs.toProto(function.signature()));
    Set<Operation> arguments = new HashSet<>();
    body.arguments().forEach(argument -> arguments.add(argument.operation()));
    for (Operation operation : body.graph().operations()) {
      if (!arguments.contains(operation)) {
        proto.addNodeDef(node(operation, arguments));
      }
    }
    List<ArgDef> outputs = function.signature().outputs();
    for (int i = 0; i < outputs.size(); i++) {
      proto.putRet(outputs.get(i).name(), input(body.results().get(i), arguments));
    }
    for (Operation control : body.controlResults()) {
      proto.putControlRet(control.name(), control.name());
      proto.getSignatureBuilder().addControlOutput(control.name());
    }
    return proto.build();
  }

  private static NodeDef node(Operation operation, Set<Operation> arguments) {
    NodeDef.Builder node = GraphDefs.toProto(operation, Defaults.STRIP_NEW).toBuilder();
    for (int i = 0; i < operation.inputs().size(); i++) {
      node.setInput(i, input(operation.input(i), arguments));
    }
    return node.build();
  }

  /** The name of a value for a node inside a function. */
  private static String input(Output value, Set<Operation> arguments) {
    Operation source = value.operation();
    if (arguments.contains(source)) {
      return source.name();
    }
    OpDef op = source.declaration().def();
    int before = 0;
    for (ArgDef output : op.outputs()) {
      int count = count(output, source);
      if (value.index() < before + count) {
        return source.name() + ":" + output.name() + ":" + (value.index() - before);
      }
      before += count;
    }
    throw new IndexOutOfBoundsException(value.toString());
  }

  private static int count(ArgDef output, Operation source) {
    if (output.numberAttr().isPresent()) {
      return source.attributes().int32(output.numberAttr().get());
    }
    return output.typeListAttr().isPresent()
        ? source.attributes().list(output.typeListAttr().get()).size()
        : 1;
  }
}
