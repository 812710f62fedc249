package dev.tributary.internal.library;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.op.KnownShape;
import dev.tributary.internal.op.OpDef;
import dev.tributary.op.AttrValue;
import java.util.List;
import java.util.Map;

/**
 * A function whose body a program built as a graph. It has no attributes, so there is one body for
 * all calls.
 */
public final class TracedFunction implements FunctionDefinition {
  /** The user's program: builds the results from the arguments, in a scope of any graph. */
  @FunctionalInterface
  public interface Program {
    List<Output> build(Scope scope, List<Output> arguments);
  }

  private final OpDef signature;
  private final FunctionBody body;
  private final List<Output> captures;
  private final Program program;

  /**
   * @param body its arguments are outputs of operations that are called as the signature's inputs
   * @param captures the values of other graphs that the last arguments stand for
   * @param program what the body was built by, from the arguments before those
   */
  public TracedFunction(
      OpDef signature, FunctionBody body, List<Output> captures, Program program) {
    this.signature = signature;
    this.body = body;
    this.captures = List.copyOf(captures);
    this.program = program;
  }

  /** The values of other graphs that a call must pass after the arguments. */
  public List<Output> captures() {
    return captures;
  }

  public Program program() {
    return program;
  }

  @Override
  public String name() {
    return signature.name();
  }

  @Override
  public OpDef signature() {
    return signature;
  }

  public FunctionBody body() {
    return body;
  }

  @Override
  public FunctionBody instantiate(
      Map<String, AttrValue> attributes, List<KnownShape> arguments, Graph into) {
    return body;
  }

  @Override
  public void close() {
    body.graph().close();
  }
}
