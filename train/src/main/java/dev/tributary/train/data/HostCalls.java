package dev.tributary.train.data;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.internal.kernel.flow.HostFunctions;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;

/** Stages that call functions of Java in the program's process. */
final class HostCalls {
  /** The collection that keeps the functions alive for as long as a graph calls them. */
  private static final String KEPT = "host_functions";

  private static final ElementSpec<Output> TRUTH =
      ElementSpec.tensor(DataType.BOOL, Shape.scalar());
  private static final ElementSpec<Output> NUMBER =
      ElementSpec.tensor(DataType.INT64, Shape.scalar());

  private HostCalls() {}

  static <E, R> Dataset.Stage<E, R> map(
      ElementSpec<R> spec, int calls, Function<? super Elements, ?> f) {
    return (building, input) -> {
      List<String> names = input.spec().names();
      HostFunctions.Registered function =
          HostFunctions.register(
              "mapJava",
              arguments -> HostValues.components(f.apply(new Elements(names, arguments)), spec));
      Building.Traced<R> traced =
          building.trace(
              "mapJava",
              List.of(input.spec()),
              (inside, components) -> called(inside, function, components, spec));
      return Calls.mapped(building, input, traced, calls, true);
    };
  }

  static <E> Dataset.Stage<E, E> filter(Predicate<? super Elements> predicate) {
    return (building, input) -> {
      List<String> names = input.spec().names();
      HostFunctions.Registered function =
          HostFunctions.register(
              "filterJava",
              arguments -> List.of(Tensor.scalar(predicate.test(new Elements(names, arguments)))));
      Building.Traced<Output> traced =
          building.trace(
              "filterJava",
              List.of(input.spec()),
              (inside, components) -> called(inside, function, components, TRUTH));
      return building.finish(
          building.calling("FilterDataset", "predicate", input.variant(), traced), input.spec());
    };
  }

  /** The elements of an iterable, one iterator for each pass. */
  static <E> Dataset.Source<E> generator(Iterable<?> values, ElementSpec<E> spec) {
    return building -> {
      Passes passes = new Passes(values, spec);
      Building.Traced<Output> begin = traced(building, List.of(), passes.begin, NUMBER);
      Building.Traced<E> next = traced(building, List.of(NUMBER), passes.next, spec);
      Building.Traced<Output> end = traced(building, List.of(NUMBER), passes.end, NUMBER);
      OperationBuilder builder =
          building
              .op("GeneratorDataset")
              .inputList(begin.captures())
              .inputList(next.captures())
              .inputList(end.captures())
              .attr("init_func", begin.attribute())
              .attr("next_func", next.attribute())
              .attr("finalize_func", end.attribute());
      return building.finish(builder, spec);
    };
  }

  private static <R> Building.Traced<R> traced(
      Building building,
      List<ElementSpec<Output>> arguments,
      HostFunctions.Registered function,
      ElementSpec<R> result) {
    return building.trace(
        "generator", arguments, (inside, values) -> called(inside, function, values, result));
  }

  /** Calls a function of Java; its results are checked to be as they should. */
  private static <R> Flattened<R> called(
      Building inside,
      HostFunctions.Registered function,
      List<Output> arguments,
      ElementSpec<R> result) {
    inside.tf().graph().addToCollection(KEPT, function);
    List<Output> values =
        inside
            .tf()
            .scope()
            .operation("PyFunc")
            .inputList(arguments)
            .attr("token", function.token())
            .attr("Tout", AttrValue.ofTypes(result.types()))
            .build()
            .outputs();
    List<Output> shaped = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      shaped.add(
          inside
              .op("EnsureShape", values.get(i))
              .attr("shape", result.shapes().get(i))
              .buildOutput());
    }
    return new Flattened<>(result, shaped);
  }

  /** The passes over an iterable that graphs make, by numbers. Safe for use by many threads. */
  private static final class Passes {
    private final Map<Long, Iterator<?>> open = new ConcurrentHashMap<>();
    private final AtomicLong count = new AtomicLong();
    final HostFunctions.Registered begin;
    final HostFunctions.Registered next;
    final HostFunctions.Registered end;

    Passes(Iterable<?> values, ElementSpec<?> spec) {
      begin =
          HostFunctions.register(
              "generator",
              none -> {
                long pass = count.incrementAndGet();
                open.put(pass, values.iterator());
                return List.of(Tensor.scalar(pass));
              });
      next =
          HostFunctions.register(
              "generator",
              pass -> {
                Iterator<?> iterator = open.get(pass.get(0).longValue());
                if (!iterator.hasNext()) {
                  throw new TributaryException(ErrorCode.OUT_OF_RANGE, "End of sequence");
                }
                return HostValues.components(iterator.next(), spec);
              });
      end =
          HostFunctions.register(
              "generator",
              pass -> {
                close(open.remove(pass.get(0).longValue()));
                return List.of(pass.get(0).retain());
              });
    }

    /** An iterator that holds something, such as a file, can be closed. */
    private static void close(Iterator<?> iterator) {
      if (iterator instanceof AutoCloseable resource) {
        try {
          resource.close();
        } catch (RuntimeException e) {
          throw e;
        } catch (Exception e) {
          throw new TributaryException(ErrorCode.UNKNOWN, e.toString(), e);
        }
      }
    }
  }
}
