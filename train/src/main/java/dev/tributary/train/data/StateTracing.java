package dev.tributary.train.data;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import java.util.ArrayList;
import java.util.List;

/**
 * A traced function that hands a state on from element to element.
 *
 * @param initial the components of the first state
 * @param state what is known of each state
 */
record StateTracing<S, E, R>(
    List<Output> initial, ElementSpec<S> state, Building.Traced<R> function) {
  /** The state and the element that the function makes of one element. */
  record Step<S, R>(Flattened<S> state, Flattened<R> result) {}

  /** A program that builds the function. */
  @FunctionalInterface
  interface Program<S, E, R> {
    Step<S, R> build(Building inside, S state, E element);
  }

  /** Traces the function, again if states turn out to have other shapes than the first. */
  static <S, E, R> StateTracing<S, E, R> of(
      Building building, S initial, ElementSpec<E> element, Program<S, E, R> program) {
    Flattened<S> first = Flattened.of(building, initial);
    ElementSpec<S> known = first.spec();
    while (true) {
      List<ElementSpec<S>> next = new ArrayList<>();
      ElementSpec<S> state = known;
      int split = state.types().size();
      Building.Traced<R> function =
          building.trace(
              "step",
              List.of(state, element),
              (inside, values) -> {
                Step<S, R> step =
                    program.build(
                        inside,
                        state.pack(values.subList(0, split)),
                        element.pack(values.subList(split, values.size())));
                next.add(step.state().spec());
                return step.result().behind(step.state().components());
              });
      known = state.relaxedTo(requireSame(state, next.get(0)));
      if (known.shapes().equals(state.shapes())) {
        return new StateTracing<>(first.components(), state, function);
      }
    }
  }

  private static <S> ElementSpec<S> requireSame(ElementSpec<S> first, ElementSpec<S> next) {
    if (!first.types().equals(next.types())) {
      throw TributaryException.invalidArgument(
          "the state is %s at first and %s after an element: return a state of the same types",
          first, next);
    }
    return next;
  }

  ElementSpec<R> result() {
    return function.result();
  }

  /** Starts an op that calls the function. */
  OperationBuilder stage(Building building, String op, Built<E> input) {
    return building
        .op(op, input.variant())
        .inputList(initial)
        .inputList(function.captures())
        .attr("f", function.attribute());
  }
}
