package dev.tributary.graph;

import dev.tributary.internal.op.CallableFunctions;
import dev.tributary.internal.op.InferenceInputs;
import dev.tributary.internal.op.KnownShape;
import dev.tributary.internal.op.KnownValue;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Outputs of a graph as the inputs that a shape rule sees.
 *
 * @param functions those that the operation may call
 * @param pending those that stand in for values made later, of which only the type is known
 */
record OutputsAsInputs(CallableFunctions functions, List<Output> outputs, BitSet pending)
    implements InferenceInputs {
  @Override
  public int count() {
    return outputs.size();
  }

  @Override
  public DataType type(int i) {
    return outputs.get(i).type();
  }

  @Override
  public Shape shape(int i) {
    return pending.get(i) ? Shape.unknown() : outputs.get(i).shape();
  }

  @Override
  public List<Shape> handleShapes(int i) {
    Output output = outputs.get(i);
    return pending.get(i) ? List.of() : output.operation().handleShapes(output.index());
  }

  @Override
  public Optional<Tensor> constant(int i) {
    Operation source = outputs.get(i).operation();
    return source.declaration().has(OpFlag.CONSTANT) && !pending.get(i)
        ? Optional.of(source.attributes().tensor("value"))
        : Optional.empty();
  }

  @Override
  public Optional<KnownValue> known(int i) {
    return outputs.get(i).index() == 0 && !pending.get(i)
        ? outputs.get(i).operation().knownValue()
        : Optional.empty();
  }

  @Override
  public List<KnownShape> results(AttrValue.Function call, List<KnownShape> arguments) {
    return functions.results(call, arguments);
  }
}
