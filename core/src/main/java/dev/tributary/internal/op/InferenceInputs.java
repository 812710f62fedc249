package dev.tributary.internal.op;

import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Optional;

/** The inputs of an operation in the making, as far as they are known. */
public interface InferenceInputs {
  int count();

  DataType type(int i);

  Shape shape(int i);

  /** The shapes of the tensors that a resource stands for; none if they are not known. */
  List<Shape> handleShapes(int i);

  /** The value, borrowed, of an input that is a constant. */
  Optional<Tensor> constant(int i);

  /** The known elements of a small integer scalar or vector. */
  Optional<KnownValue> known(int i);

  /** The known shapes of a function's results; see {@link CallableFunctions#results}. */
  List<KnownShape> results(AttrValue.Function call, List<KnownShape> arguments);
}
