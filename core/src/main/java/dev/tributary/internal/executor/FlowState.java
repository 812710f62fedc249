package dev.tributary.internal.executor;

import java.util.Arrays;

/**
 * The state of a step's control flow in a {@link FixedOrder}: which nodes are dead, and which
 * iteration each loop is in. A dead value is null. Confined to its {@link FixedWorkspace}.
 */
final class FlowState {
  /** By place, as of the last time the node's turn came. */
  private final boolean[] dead;

  /** By the number of the loop. */
  private final long[] iterations;

  private final long[] frameIds;

  FlowState(int nodeCount, int loopCount) {
    dead = new boolean[nodeCount];
    iterations = new long[loopCount];
    frameIds = new long[loopCount];
  }

  /** Prepares the iteration of a loop that begins with this node. */
  void beginIteration(LoopRegion loop) {
    if (iterations[loop.index] == 0) {
      frameIds[loop.index] =
          FrameId.of(frameId(loop.parent), iteration(loop.parent), loop.frameNameHash);
      for (int exit : loop.exits) {
        dead[exit] = true;
      }
    }
  }

  /**
   * Returns the place to continue at after the last node of a loop: its start, if a value goes to
   * the next iteration, or else what follows. Gives back the invariants of loops that end.
   */
  int endIteration(LoopRegion ended, Object[] values) {
    for (LoopRegion loop = ended; loop != null && loop.end == ended.end; loop = loop.parent) {
      for (int value : loop.nextIterations) {
        if (values[value] != null) {
          iterations[loop.index]++;
          return loop.start;
        }
      }
      iterations[loop.index] = 0;
      for (int number : loop.invariants) {
        Object value = values[number];
        values[number] = null;
        StepExecution.drop(value);
      }
    }
    return ended.end + 1;
  }

  /** Forgets the iterations of a step that ended early. */
  void clear() {
    Arrays.fill(iterations, 0);
  }

  long iteration(LoopRegion loop) {
    return loop == null ? 0 : iterations[loop.index];
  }

  long frameId(LoopRegion loop) {
    return loop == null ? FrameId.ROOT : frameIds[loop.index];
  }

  boolean isDead(FlowNode node) {
    return dead[node.place];
  }

  /** Finds whether a node is dead whose turn it is. */
  boolean findDead(FlowNode node, Object[] values) {
    boolean isDead =
        switch (node.kind) {
          case MERGE -> liveInput(node, values) == node.inputs.length;
          default -> hasDeadInput(node, values);
        };
    switch (node.kind) {
      case EXIT -> dead[node.place] &= isDead;
      default -> dead[node.place] = isDead;
    }
    return isDead;
  }

  /** The first live input of a node; the number of its inputs if all are dead. */
  static int liveInput(FixedNode node, Object[] values) {
    int live = 0;
    while (live < node.inputs.length && values[node.inputs[live]] == null) {
      live++;
    }
    return live;
  }

  private boolean hasDeadInput(FlowNode node, Object[] values) {
    for (int number : node.inputs) {
      if (values[number] == null) {
        return true;
      }
    }
    for (int place : node.controls) {
      if (dead[place]) {
        return true;
      }
    }
    return false;
  }
}
