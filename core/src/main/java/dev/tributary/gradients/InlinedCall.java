package dev.tributary.gradients;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.flow.CondBuilder;
import dev.tributary.internal.flow.LoopSettings;
import dev.tributary.internal.flow.LoopVariable;
import dev.tributary.internal.flow.WhileBuilder;
import dev.tributary.internal.gradient.Dense;
import dev.tributary.internal.library.FunctionBody;
import dev.tributary.internal.library.FunctionDefinition;
import dev.tributary.internal.library.FunctionLibrary;
import dev.tributary.internal.library.TracedFunction;
import dev.tributary.internal.op.NativeCall;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** The inlining of one call into its own graph. Confined to one thread. */
final class InlinedCall {
  private final Operation call;
  private final FunctionLibrary functions;
  private final Scope scope;

  private InlinedCall(Operation call) {
    this.call = call;
    this.functions = FunctionLibrary.of(call.graph());
    Scope inContext = call.graph().scope().withFlowContext(call.flowContext());
    Scope placed =
        call.device().isEmpty() ? inContext : inContext.withDevice(call.device().toString());
    this.scope = placed.withControlDependencies(call.controlInputs()).withSubScope(call.name());
  }

  /** Makes the call give the values of its body, which becomes part of the graph. */
  static void replace(Operation call) {
    InlinedCall inlined = new InlinedCall(call);
    try {
      inlined.requireTypes();
    } catch (TributaryException e) {
      throw e.at(call.toString());
    }
    List<Operation> effects = new ArrayList<>();
    List<Output> results = inlined.results(effects);
    List<Operation> controls = new ArrayList<>(call.controlInputs());
    effects.stream()
        .filter(effect -> effect.flowContext().equals(call.flowContext()))
        .forEach(controls::add);
    Graph graph = call.graph();
    graph.replaceByValues(call, graph.registry().lookup("IdentityN"), results, controls);
    inlined.functions.addInlined(call);
  }

  /** A graph that was read may call a function with other results than the call has. */
  private void requireTypes() {
    Set<OpFlag> flags = call.declaration().flags();
    List<DataType> inputs = call.inputs().stream().map(Output::type).toList();
    List<DataType> outputs = call.outputs().stream().map(Output::type).toList();
    if (flags.contains(OpFlag.NATIVE_CALL)) {
      requireTypes(NativeCall.of(call.declaration().def(), call.attributes()), inputs, outputs);
    } else if (flags.contains(OpFlag.CALLS_FUNCTION)) {
      requireTypes(function("f"), inputs, outputs);
    } else if (flags.contains(OpFlag.CALLS_IN_LOOP)) {
      requireTypes(function("body"), inputs, inputs);
      FunctionBody cond = functions.body(function("cond"));
      cond.requireArguments(inputs);
      if (cond.results().size() != 1) {
        throw TributaryException.invalidArgument(
            "the condition '%s' must return one value, it returns %d",
            cond.function(), cond.results().size());
      }
    } else {
      List<DataType> arguments = inputs.subList(1, inputs.size());
      List<? extends AttrValue> branches =
          flags.contains(OpFlag.CALLS_ONE_OF_TWO)
              ? List.of(function("then_branch"), function("else_branch"))
              : call.attributes().list("branches");
      branches.forEach(b -> requireTypes((AttrValue.Function) b, arguments, outputs));
    }
  }

  private void requireTypes(
      AttrValue.Function function, List<DataType> arguments, List<DataType> results) {
    FunctionBody body = functions.body(function);
    body.requireArguments(arguments);
    body.requireResults(results);
  }

  private List<Output> results(List<Operation> effects) {
    Set<OpFlag> flags = call.declaration().flags();
    if (flags.contains(OpFlag.NATIVE_CALL)) {
      AttrValue.Function function = NativeCall.of(call.declaration().def(), call.attributes());
      return build(scope, function, call.inputs(), effects);
    }
    if (flags.contains(OpFlag.CALLS_FUNCTION)) {
      return build(scope, function("f"), call.inputs(), effects);
    }
    if (flags.contains(OpFlag.CALLS_IN_LOOP)) {
      return loop();
    }
    List<Output> arguments = call.inputs().subList(1, call.inputs().size());
    if (flags.contains(OpFlag.CALLS_ONE_OF_TWO)) {
      return cond(
          scope,
          isTrue(scope, call.input(0)),
          inner -> branch(inner, function("then_branch"), arguments),
          inner -> branch(inner, function("else_branch"), arguments));
    }
    return choice(scope, call.attributes().list("branches"), 0, arguments);
  }

  private AttrValue.Function function(String attribute) {
    return (AttrValue.Function) call.attributes().find(attribute).orElseThrow();
  }

  /** The branch of index {@code at} if that is chosen, else one of those after it. */
  private List<Output> choice(
      Scope where, List<AttrValue> branches, int at, List<Output> arguments) {
    AttrValue.Function first = (AttrValue.Function) branches.get(at);
    if (at == branches.size() - 1) {
      return branch(where, first, arguments);
    }
    Output index = call.input(0);
    Output isThis =
        where
            .operation("Equal")
            .input(index)
            .input(Dense.constant(where, Tensor.scalar(at)))
            .buildOutput();
    return cond(
        where,
        isThis,
        inner -> branch(inner, first, arguments),
        inner -> choice(inner, branches, at + 1, arguments));
  }

  private static List<Output> cond(
      Scope where,
      Output predicate,
      java.util.function.Function<Scope, List<Output>> whenTrue,
      java.util.function.Function<Scope, List<Output>> whenFalse) {
    return CondBuilder.build(where.withSubScope("cond"), predicate, whenTrue, whenFalse).results();
  }

  /** The results of a body, there when its effects have taken place. */
  private List<Output> branch(Scope where, AttrValue.Function function, List<Output> arguments) {
    List<Operation> effects = new ArrayList<>();
    List<Output> results = build(where, function, arguments, effects);
    effects.removeIf(effect -> !effect.flowContext().equals(where.flowContext()));
    if (effects.isEmpty()) {
      return results;
    }
    Scope after = where.withControlDependencies(effects);
    return results.stream()
        .map(result -> after.operation("Identity").input(result).buildOutput())
        .toList();
  }

  private static Output isTrue(Scope where, Output value) {
    boolean isScalar = value.shape().hasRank() && value.shape().rank() == 0;
    return value.type() == DataType.BOOL && isScalar
        ? value
        : where.operation("ToBool").input(value).buildOutput();
  }

  /** A value that the body returns unchanged is not a loop variable: the loop captures it. */
  private List<Output> loop() {
    FunctionBody body = functions.body(function("body"));
    List<Integer> varying = new ArrayList<>();
    for (int i = 0; i < call.inputs().size(); i++) {
      if (!body.results().get(i).equals(body.arguments().get(i))) {
        varying.add(i);
      }
    }
    if (varying.isEmpty()) {
      varying.add(0); // A loop that only has effects needs a variable, too.
    }
    List<Output> initial = varying.stream().map(call::input).toList();
    List<Shape> shapes = Collections.nCopies(varying.size(), Shape.unknown());
    List<Output> exits =
        WhileBuilder.build(
                scope,
                new LoopSettings(call.attributes().int32("parallel_iterations"), shapes),
                initial,
                (inner, values) ->
                    isTrue(inner, branch(inner, function("cond"), all(varying, values)).get(0)),
                (context, values) -> {
                  List<Output> results =
                      branch(context.scope(), function("body"), all(varying, values));
                  return varying.stream().map(results::get).toList();
                })
            .variables()
            .stream()
            .map(LoopVariable::exit)
            .toList();
    // Whoever uses a constant of the loop after it may count on the loop's effects.
    Scope after = scope.withControlDependencies(exits.stream().map(Output::operation).toList());
    List<Output> results = all(varying, exits);
    for (int i = 0; i < results.size(); i++) {
      if (!varying.contains(i)) {
        results.set(i, after.operation("Identity").input(results.get(i)).buildOutput());
      }
    }
    return results;
  }

  /** The inputs of the call, with other values for those that vary. */
  private List<Output> all(List<Integer> varying, List<Output> values) {
    List<Output> all = new ArrayList<>(call.inputs());
    for (int i = 0; i < values.size(); i++) {
      all.set(varying.get(i), values.get(i));
    }
    return all;
  }

  /**
   * Builds what a function does. A program is run again, so that its conds and loops are known as
   * such; the operations of other bodies are copied.
   */
  private List<Output> build(
      Scope where, AttrValue.Function function, List<Output> arguments, List<Operation> effects) {
    FunctionDefinition definition = functions.lookup(function.name());
    if (definition instanceof TracedFunction traced) {
      int before = where.graph().size();
      int own = traced.body().arguments().size() - traced.captures().size();
      List<Output> results = traced.program().build(where, arguments.subList(0, own));
      List<Operation> all = where.graph().operations();
      all.subList(before, all.size()).stream()
          .filter(FunctionBody::hasEffect)
          .forEach(effects::add);
      return results;
    }
    return new BodyCopy(where, functions.body(function), arguments).build(effects);
  }
}
