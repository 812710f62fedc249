package dev.tributary.optable;

import dev.tributary.op.AttrValue;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One call of an op: its attributes and its inputs as a flat list, list arguments spread out.
 * Attributes that follow from the inputs may be left out: {@code T} always, {@code N} and type
 * lists where all list arguments share one such attribute.
 */
public final class OpCall implements AutoCloseable {
  private final Map<String, AttrValue> attributes = new LinkedHashMap<>();
  private final List<Tensor> inputs = new ArrayList<>();
  private final List<Boolean> constant = new ArrayList<>();

  public static OpCall of(Tensor... inputs) {
    OpCall call = new OpCall();
    for (Tensor input : inputs) {
      call.input(input);
    }
    return call;
  }

  /** Adds an input; the call takes over the tensor's reference. */
  public OpCall input(Tensor tensor) {
    inputs.add(tensor);
    constant.add(false);
    return this;
  }

  /**
   * Adds an input that shape inference may look at: a Const rather than a fed placeholder, such as
   * a shape or an axis.
   */
  public OpCall constant(Tensor tensor) {
    inputs.add(tensor);
    constant.add(true);
    return this;
  }

  /**
   * Sets an attribute from a Java value; see {@link AttrValue#ofObject}. The call takes over a
   * tensor's reference.
   */
  public OpCall attr(String name, Object value) {
    attributes.put(name, AttrValue.ofObject(value));
    return this;
  }

  public Map<String, AttrValue> attributes() {
    return attributes;
  }

  public List<Tensor> inputs() {
    return inputs;
  }

  public boolean isConstant(int input) {
    return constant.get(input);
  }

  /** The call in one line, for the message of a failed check. */
  @Override
  public String toString() {
    return inputs + " " + attributes;
  }

  @Override
  public void close() {
    inputs.forEach(Tensor::close);
    for (AttrValue value : attributes.values()) {
      if (value instanceof AttrValue.TensorValue) {
        ((AttrValue.TensorValue) value).value().close();
      }
    }
  }
}
