package dev.tributary.interop;

import dev.tributary.internal.wire.AttrValues;
import dev.tributary.ops.Ops;
import dev.tributary.optable.Draw;
import dev.tributary.optable.OpCall;
import dev.tributary.optable.OpRow;
import dev.tributary.optable.OpTable;
import dev.tributary.tensor.DataType;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.tensorflow.proto.AttrValue;

/**
 * The op table as the tests against stock go through it: rows, draws, and calls in stock's words.
 */
final class TableDraws {
  private TableDraws() {}

  /** A check of one call. */
  interface Check {
    void accept(OpCall call, long seed);
  }

  /** The rows whose op is registered. */
  static List<OpRow> rows() {
    var registry = Ops.registry();
    return OpTable.rows().stream().filter(row -> registry.find(row.op()).isPresent()).toList();
  }

  /**
   * Checks {@code seeds} calls of each type; what fails is told with the draw that gives the same
   * call again.
   */
  static void forEach(
      OpRow row, Collection<DataType> types, Draw.Size size, int seeds, Check check) {
    if (row.generator().isEmpty() || !row.takes(size)) {
      return;
    }
    for (DataType type : types) {
      for (long seed = 1; seed <= seeds; seed++) {
        try (OpCall call = row.generator().get().apply(new Draw(seed, type, size))) {
          try {
            check.accept(call, seed);
          } catch (NoStockGradientException e) {
            throw e;
          } catch (RuntimeException | AssertionError e) {
            String text = e instanceof AssertionError ? e.getMessage() : e.toString();
            String draw = row.op() + ", " + type + ", " + size + ", seed " + seed;
            throw new AssertionError(draw + ", " + call + ": " + text, e);
          }
        }
      }
    }
  }

  /**
   * The inputs whose shapes stock is told: constants, but no scalars, of which some shape rules
   * want to know the value then.
   */
  static IntPredicate shaped(OpCall call) {
    return i -> call.isConstant(i) && call.inputs().get(i).rank() > 0;
  }

  static Map<String, AttrValue> attributes(OpCall call) {
    Map<String, AttrValue> attributes = new HashMap<>();
    call.attributes().forEach((name, value) -> attributes.put(name, AttrValues.toProto(value)));
    return attributes;
  }
}
