package dev.tributary.graph;

import java.util.ArrayList;
import java.util.List;

/**
 * A value that operations take: an {@link Output}, a variable, or an {@link Operation} that has one
 * output.
 */
public interface Operand {
  /**
   * Returns the output that this operand stands for.
   *
   * @throws dev.tributary.error.TributaryException INVALID_ARGUMENT if it stands for none or for
   *     several
   */
  Output asOutput();

  /** Returns the outputs that these operands stand for, in order. */
  static List<Output> asOutputs(List<? extends Operand> operands) {
    List<Output> outputs = new ArrayList<>(operands.size());
    for (int i = 0; i < operands.size(); i++) {
      outputs.add(operands.get(i).asOutput());
    }
    return outputs;
  }
}
