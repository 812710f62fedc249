package dev.tributary.internal.library;

import dev.tributary.graph.Graph;
import dev.tributary.internal.op.KnownShape;
import dev.tributary.internal.op.OpDef;
import dev.tributary.op.AttrValue;
import java.util.List;
import java.util.Map;

/**
 * A function of a graph's library: a signature, and a body that depends on the attributes of the
 * call. Immutable. Bodies are made when a call needs them, since a model may carry hundreds of
 * functions of which a step reaches a few.
 */
public interface FunctionDefinition {
  String name();

  /** The signature, by which a node can call the function as if it were an op. */
  OpDef signature();

  /**
   * Returns the body for the attributes of a call.
   *
   * @param attributes values of the signature's attributes; others are ignored
   * @param arguments what is known of the values that the function is called with; empty if nothing
   * @param into an empty graph for the body. A function whose body is a graph already returns that
   *     one and leaves this one empty
   */
  FunctionBody instantiate(
      Map<String, AttrValue> attributes, List<KnownShape> arguments, Graph into);

  /** Gives back the tensors of a body that the function had from the beginning. */
  default void close() {}
}
