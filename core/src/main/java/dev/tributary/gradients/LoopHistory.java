package dev.tributary.gradients;

import dev.tributary.flow.CondContext;
import dev.tributary.flow.LoopVariable;
import dev.tributary.flow.WhileContext;
import dev.tributary.graph.FlowContext;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.tensor.Tensor;

/**
 * What a loop's iterations leave behind for the loop that computes its gradient: how many there
 * were, and stacks of values.
 *
 * <h2>Order</h2>
 *
 * Several iterations may be in progress at once, but pushes must come in the order of the
 * iterations, and pops in the opposite order. So a push waits for the forward counter of its
 * iteration, and the counter's increment waits, through a trigger, for all pushes; likewise pops
 * and the backward counter. The triggers are ControlTriggers since a push or pop on a branch not
 * taken must not kill the counter.
 *
 * <p>A stack is made around the forward loop. If that is itself in a loop, each iteration there
 * makes a stack of its own, and the handle is a value like others in that loop's history.
 */
final class LoopHistory {
  private final WhileContext forward;
  private final LoopVariable counter;
  private final Operation pushed;
  private Operation popped;

  /** Adds a counter to the forward loop. */
  LoopHistory(WhileContext forward) {
    this.forward = forward;
    Scope names = forward.around().withName("f_count");
    counter = forward.addVariable(names, Dense.constant(names, Tensor.scalar(0)));
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

  /** How many iterations there were, as seen around the forward loop. */
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

  /**
   * A forward value in the backward loop, in the iteration that corresponds. Each value may be
   * asked for once.
   */
  Output recall(Output value, Scope inside) {
    Scope around = forward.around();
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
