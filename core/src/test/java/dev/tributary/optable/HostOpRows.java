package dev.tributary.optable;

import static dev.tributary.tensor.DataType.INT64;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.kernel.flow.HostFunctions;
import dev.tributary.internal.library.TracedFunction;
import dev.tributary.op.AttrValue;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Calls of the program's own functions, and datasets whose elements functions make. */
final class HostOpRows {
  private static final HostFunctions.Registered SUM =
      HostFunctions.register(
          "sum", x -> List.of(Tensor.scalar(x.get(0).longValue() + x.get(1).longValue())));

  private HostOpRows() {}

  static List<OpRow> rows() {
    String reason = "stock calls functions of Python";
    return List.of(
        OpRow.of("PyFunc").script(d -> call(d, "PyFunc")).withoutStock(reason),
        OpRow.of("PyFuncStateless").script(d -> call(d, "PyFuncStateless")).withoutStock(reason),
        OpRow.of("GeneratorDataset").script(HostOpRows::generator));
  }

  private static Script call(Draw d, String op) {
    long a = d.integer(-9, 9);
    long b = d.integer(-9, 9);
    Ops tf = Ops.create();
    Output sum =
        tf.scope()
            .operation(op)
            .inputList(List.of(tf.constant(a), tf.constant(b)))
            .attr("token", SUM.token())
            .attr("Tout", List.of(INT64))
            .buildOutput();
    return Script.on(tf).expect(sum, Tensor.scalar(a + b)).expect(sum, Tensor.scalar(a + b));
  }

  /** Elements that come from another iterator, times the state of the pass. */
  private static Script generator(Draw d) {
    DatasetNodes nodes = new DatasetNodes(INT64);
    int count = d.integer(0, 4);
    Output source = nodes.iterator();
    Operation begin = nodes.make(nodes.range(1, count + 1, 1), source);
    Output factor = nodes.tf.constant((long) d.integer(2, 5));
    TracedFunction init = trace(nodes, List.of(), (f, none) -> List.of(f.identity(factor)));
    TracedFunction next =
        trace(
            nodes,
            List.of(INT64),
            (f, pass) -> {
              Output element =
                  nodes
                      .elements(f.scope().operation("IteratorGetNext").input(source))
                      .buildOutput();
              return List.of(f.mul(element, pass.get(0)));
            });
    TracedFunction end = trace(nodes, List.of(INT64), (f, pass) -> List.of(pass.get(0)));
    Output dataset =
        nodes
            .elements(
                nodes
                    .tf
                    .scope()
                    .operation("GeneratorDataset")
                    .inputList(init.captures())
                    .inputList(next.captures())
                    .inputList(end.captures())
                    .attr("init_func", new AttrValue.Function(init.name(), Map.of()))
                    .attr("next_func", new AttrValue.Function(next.name(), Map.of()))
                    .attr("finalize_func", new AttrValue.Function(end.name(), Map.of())))
            .buildOutput();
    Output iterator = nodes.iterator();
    Operation initializer = nodes.make(dataset, iterator);
    Output[] element = nodes.next("IteratorGetNext", iterator);
    Output hasNext = nodes.hasNext(iterator);
    Script script = Script.on(nodes.tf);
    for (int pass = 0; pass < 2; pass++) {
      script.run(begin).run(initializer);
      for (int i = 0; i < count; i++) {
        script.fetch(element);
      }
      script.expect(hasNext, Tensor.scalar(false)).expect(hasNext, Tensor.scalar(false));
    }
    return script;
  }

  private static TracedFunction trace(
      DatasetNodes nodes,
      List<DataType> arguments,
      BiFunction<Ops, List<Output>, List<Output>> body) {
    List<Output> like =
        arguments.stream().map(type -> nodes.tf.placeholder(type, Shape.scalar())).toList();
    return nodes.tf.function("f", body).traced(like);
  }
}
