package dev.tributary.graph;

import dev.tributary.error.TributaryException;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies of operations that another graph has, for a graph with the same ops. Nothing is checked or
 * inferred again: a copy shares all that does not change with its original. Confined to one thread.
 */
final class OperationCopies {
  private final Graph target;
  private final List<Operation> originals;
  private final Operation[] copies;
  private final int first;

  /**
   * @param originals operations of one graph, in the order of creation and without gaps
   */
  OperationCopies(Graph target, List<Operation> originals) {
    this.target = target;
    this.originals = originals;
    this.copies = new Operation[originals.size()];
    this.first = originals.isEmpty() ? 0 : originals.get(0).id();
  }

  /** The copies, which are not in their graph yet. Edges may lead back, as those of loops do. */
  List<Operation> make() {
    for (int i = 0; i < copies.length; i++) {
      copies[i] = originals.get(i).copyFor(target);
    }
    for (int i = 0; i < copies.length; i++) {
      copies[i].connect(inputs(originals.get(i)), controls(originals.get(i)));
    }
    return List.of(copies);
  }

  private List<Output> inputs(Operation original) {
    List<Output> inputs = new ArrayList<>(original.inputs().size());
    for (Output input : original.inputs()) {
      inputs.add(copy(input.operation(), original).output(input.index()));
    }
    return inputs;
  }

  private List<Operation> controls(Operation original) {
    List<Operation> controls = new ArrayList<>(original.controlInputs().size());
    for (Operation control : original.controlInputs()) {
      controls.add(copy(control, original));
    }
    return controls;
  }

  private Operation copy(Operation original, Operation user) {
    int place = original.id() - first;
    if (place < 0) {
      return target.operation(original.name());
    }
    if (place >= copies.length || originals.get(place) != original) {
      throw TributaryException.invalidArgument(
          "%s depends on %s, which is not among the operations to copy", user, original);
    }
    return copies[place];
  }
}
