package dev.tributary.gradients;

import dev.tributary.graph.FlowContext;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.flow.CondContext;
import dev.tributary.internal.flow.LoopVariable;
import dev.tributary.internal.flow.WhileContext;
import dev.tributary.internal.gradient.Dense;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Optional;

/**
 * The record of a loop's iterations for the loop that computes its gradient: how many there were,
 * and stacks of values.
 *
 * <h2>Order</h2>
 *
 * Several iterations may be in progress at once, but pushes must come in the order of the
 * iterations, and pops in the opposite order. So a push waits for the forward counter of its
 * iteration, and the counter's increment waits, through a trigger, for all pushes; likewise pops
 * and the backward counter. The triggers are ControlTriggers since a push or pop on a branch not
 * taken must not kill the counter.
 *
 * <p>A stack is made outside of all loops, as stock TensorFlow does it, whose rewriting takes away
 * the pushes to a stack if it does not see the pops of the same handle. If the forward loop is
 * itself in a loop, all its runs share the stack, so they must come one after the other too: a
 * run's counter starts after the outer counter, which goes on after the run's pushes since the
 * number of its iterations is pushed to the outer history. Likewise a run of the backward loop
 * starts after the outer backward counter, from which it has its number of iterations, and that
 * counter waits for the end of the run.
 */
final class LoopHistory {
  private final WhileContext forward;
  private final Optional<LoopHistory> outer;
  private final LoopVariable counter;
  private final Operation pushed;
  private Operation popped;

  /**
   * Adds a counter to the forward loop.
   *
   * @param outer the history of the loop around the forward loop, if there is one
   */
  LoopHistory(WhileContext forward, Optional<LoopHistory> outer) {
    this.forward = forward;
    this.outer = outer;
    Scope names = forward.around().withName("f_count");
    List<Operation> before =
        outer.map(o -> List.of(o.counter.inBody().operation())).orElse(List.of());
    counter =
        forward.addVariable(
            names, Dense.constant(names.withControlDependencies(before), Tensor.scalar(0)));
    pushed = forward.scope().withName("f_sync").operation("ControlTrigger").build();
    Scope inside = forward.scope().withName("f_count");
    Output next =
        inside
            .operation("Add")
            .input(counter.inBody())
            .input(Dense.constant(inside, Tensor.scalar(1)))
            .controlInput(pushed)
            .buildOutput();
    forward.close(names, counter, next);
  }

  /** Returns how many iterations there were, as seen around the forward loop. */
  Output count() {
    return counter.exit();
  }

  /** Counts down in the backward loop, after all that is taken from the history in an iteration. */
  Output countDown(Scope backward, Output count) {
    popped = backward.withName("b_sync").operation("ControlTrigger").build();
    Scope names = backward.withName("b_count");
    return names
        .operation("Sub")
        .input(count)
        .input(Dense.constant(names, Tensor.scalar(1)))
        .controlInput(popped)
        .buildOutput();
  }

  /** Makes the next turn of the outer backward loop wait for this run of the backward loop. */
  void end(LoopVariable backwardCounter) {
    outer.ifPresent(
        o -> forward.around().graph().addControlEdge(backwardCounter.exit().operation(), o.popped));
  }

  /**
   * A forward value in the backward loop, in the iteration that corresponds. Each value may be
   * asked for once.
   */
  Output recall(Output value, Scope inside) {
    Scope around = forward.around().withoutControlDependencies();
    Output handle =
        around
            .withName("f_acc")
            .operation("StackV2")
            .input(Dense.constant(around, Tensor.scalar(-1)))
            .attr("elem_type", value.type())
            .buildOutput();
    Operation push =
        scopeOf(value.operation().flowContext().get())
            .withName("f_acc_push")
            .operation("StackPushV2")
            .input(handle)
            .input(value)
            .controlInput(counter.inBody().operation())
            .build();
    around.graph().addControlEdge(push, pushed);
    Output pop =
        inside
            .withName("f_acc_pop")
            .operation("StackPopV2")
            .input(handle)
            .attr("elem_type", value.type())
            .outputShape(0, value.shape())
            .buildOutput();
    around.graph().addControlEdge(pop.operation(), popped);
    return pop;
  }

  private static Scope scopeOf(FlowContext context) {
    return context instanceof WhileContext
        ? ((WhileContext) context).scope()
        : ((CondContext) context).scope();
  }
}
