package dev.tributary.graph.wire;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.internal.library.FunctionBody;
import dev.tributary.internal.library.FunctionDefinition;
import dev.tributary.internal.op.KnownShape;
import dev.tributary.internal.op.OpDef;
import dev.tributary.internal.wire.OpDefs;
import dev.tributary.op.AttrValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.tensorflow.proto.FunctionDef;

/**
 * A function that came in a message. The message is kept as it is, so that it can be written again
 * with everything that means nothing here; it is read when the function is used.
 */
final class MessageFunction implements FunctionDefinition {
  private final FunctionDef proto;

  /** Read when it is first asked for; reading it twice does no harm. */
  private volatile OpDef signature;

  MessageFunction(FunctionDef proto) {
    this.proto = proto;
  }

  FunctionDef proto() {
    return proto;
  }

  @Override
  public String name() {
    return proto.getSignature().getName();
  }

  @Override
  public OpDef signature() {
    OpDef read = signature;
    if (read == null) {
      try {
        read = OpDefs.toOpDef(proto.getSignature());
        FunctionSignatures.requireValid(read);
      } catch (TributaryException e) {
        throw e.at("the signature of function '" + name() + "'");
      }
      signature = read;
    }
    return read;
  }

  @Override
  public FunctionBody instantiate(
      Map<String, AttrValue> attributes, List<KnownShape> arguments, Graph into) {
    try {
      FunctionInstantiation instantiation =
          new FunctionInstantiation(proto, signature(), attributes, arguments, into);
      List<String> values = new ArrayList<>(instantiation.arguments());
      values.addAll(instantiation.results());
      ImportedGraph body =
          GraphDefs.importInto(
              into,
              instantiation.graph(),
              ImportOptions.defaults()
                  .withInternalNames()
                  .returning(values, instantiation.controlResults()));
      int count = instantiation.arguments().size();
      List<Operation> controls = body.returned();
      return new FunctionBody(
          name(),
          into,
          body.outputs().subList(0, count),
          body.outputs().subList(count, body.outputs().size()),
          controls);
    } catch (TributaryException e) {
      throw e.at("function '" + name() + "'");
    }
  }
}
