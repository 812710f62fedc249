package dev.tributary.ops;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.library.FunctionBody;
import dev.tributary.internal.library.FunctionLibrary;
import dev.tributary.internal.library.TracedFunction;
import dev.tributary.internal.op.ArgDef;
import dev.tributary.internal.op.OpDef;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Builds the body of a function from a program. Values from outside become arguments after those of
 * the program, each once; a variable is passed itself and read inside. Operations on one resource
 * run in the order in which the program made them. Confined to one thread.
 */
final class FunctionTracing {
  private final Graph outer;
  private final Graph body;
  private final List<Output> arguments = new ArrayList<>();
  private final Map<Output, Output> captured = new LinkedHashMap<>();
  private final Map<Output, Output> reads = new HashMap<>();

  private FunctionTracing(Graph outer) {
    this.outer = outer;
    this.body = FunctionLibrary.of(outer).newBody(this::capture);
  }

  static TracedFunction trace(
      Graph outer, String name, List<Output> like, TracedFunction.Program program) {
    FunctionTracing tracing = new FunctionTracing(outer);
    try {
      return tracing.run(name, like, program);
    } catch (RuntimeException | Error e) {
      tracing.body.close();
      throw e;
    }
  }

  private TracedFunction run(String name, List<Output> like, TracedFunction.Program program) {
    like.forEach(value -> arguments.add(argument("x" + arguments.size(), value)));
    Scope scope = body.scope();
    List<Output> results = new ArrayList<>();
    for (Output result : program.build(scope, List.copyOf(arguments))) {
      results.add(body.seen(result));
    }
    for (Output result : results) {
      if (result.operation().flowContext().isPresent()) {
        throw TributaryException.invalidArgument(
            "%s is made in %s and cannot be the result of function '%s'",
            result, result.operation().flowContext().get(), name);
      }
    }
    List<Operation> effects = new ArrayList<>();
    boolean stateful = false;
    List<Operation> own = new ArrayList<>(body.operations());
    arguments.forEach(argument -> own.remove(argument.operation()));
    captured.values().forEach(argument -> own.remove(argument.operation()));
    for (Operation operation : own) {
      stateful |= operation.declaration().def().isStateful();
      if (FunctionBody.hasEffect(operation) && operation.flowContext().isEmpty()) {
        effects.add(operation);
      }
    }
    order(own);
    List<Output> all = new ArrayList<>(arguments);
    all.addAll(captured.values());
    FunctionBody traced = new FunctionBody(name, body, all, results, effects);
    return new TracedFunction(
        signature(traced, stateful), traced, List.copyOf(captured.keySet()), program);
  }

  private static OpDef signature(FunctionBody body, boolean stateful) {
    List<ArgDef> inputs = new ArrayList<>();
    body.arguments().forEach(a -> inputs.add(argument(a.operation().name(), a.type())));
    List<ArgDef> outputs = new ArrayList<>();
    body.results().forEach(r -> outputs.add(argument("y" + outputs.size(), r.type())));
    return new OpDef(
        body.function(),
        inputs,
        outputs,
        List.of(),
        stateful,
        false,
        false,
        false,
        false,
        Optional.empty());
  }

  private static ArgDef argument(String name, DataType type) {
    return new ArgDef(
        name, Optional.of(type), Optional.empty(), Optional.empty(), Optional.empty(), false);
  }

  private Output argument(String name, Output like) {
    List<Shape> handles = like.operation().handleShapes(like.index());
    return body.scope()
        .withName(name)
        .operation("_Arg")
        .attr("T", like.type())
        .attr("index", arguments.size() + captured.size())
        .attr(FunctionBody.ARGUMENT_SHAPE, like.shape())
        .attr(FunctionBody.HANDLE_SHAPES, handles)
        .buildOutput();
  }

  private Output capture(Output value) {
    Output outside = outer.seen(value);
    if (outside.graph() != outer) {
      return value; // Whoever wants it fails, as with any value of an unrelated graph.
    }
    Operation source = outside.operation();
    if (source.declaration().has(OpFlag.READS_STATE) && source.controlInputs().isEmpty()) {
      return reads.computeIfAbsent(outside, read -> readInside(source, read.index()));
    }
    Output known = captured.get(outside);
    if (known == null) {
      known = argument("capture" + captured.size(), outside);
      captured.put(outside, known);
    }
    return known;
  }

  /** The value that a variable has when the function is called. */
  private Output readInside(Operation read, int index) {
    List<Output> inputs = read.inputs().stream().map(this::capture).toList();
    var builder = body.scope().withName(read.name()).operation(read.type()).flatInputs(inputs);
    read.attributes().asMap().forEach(builder::attr);
    return builder.build().output(index);
  }

  /** Lets each operation on a resource wait for those before it that one of them would disturb. */
  private void order(List<Operation> operations) {
    Map<Output, Operation> writes = new HashMap<>();
    Map<Output, List<Operation>> readers = new HashMap<>();
    for (Operation operation : operations) {
      boolean isUser =
          operation.declaration().def().isStateful() && operation.flowContext().isEmpty();
      for (Output input : operation.inputs()) {
        if (!isUser || input.type() != DataType.RESOURCE) {
          continue;
        }
        Operation write = writes.get(input);
        if (write != null) {
          body.addControlEdge(write, operation);
        }
        if (operation.declaration().has(OpFlag.READS_STATE)) {
          readers.computeIfAbsent(input, key -> new ArrayList<>()).add(operation);
        } else {
          readers
              .getOrDefault(input, List.of())
              .forEach(reader -> body.addControlEdge(reader, operation));
          readers.remove(input);
          writes.put(input, operation);
        }
      }
    }
  }
}
