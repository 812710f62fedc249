package dev.tributary.optable;

import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.Memory;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Makes a wrong call of a right one, as a careless or hostile user would. */
final class CallMutation {
  private static final long[] HOSTILE = {
    -1,
    -2,
    3,
    1000,
    Integer.MIN_VALUE,
    Integer.MAX_VALUE,
    1 << 30,
    1L << 33,
    1L << 62,
    Long.MIN_VALUE,
    Long.MAX_VALUE
  };

  private static final DataType[] TYPES = {
    DataType.FLOAT,
    DataType.DOUBLE,
    DataType.INT32,
    DataType.INT64,
    DataType.UINT8,
    DataType.BOOL,
    DataType.STRING,
    DataType.HALF
  };

  private final Draw draw;
  private final Random random;

  CallMutation(long seed) {
    this.draw = new Draw(seed, DataType.FLOAT, Draw.Size.ORDINARY);
    this.random = draw.random();
  }

  /** A changed copy. The tensors it shares with {@code call} have references of their own. */
  OpCall of(OpCall call) {
    List<Tensor> inputs = new ArrayList<>(call.inputs());
    inputs.replaceAll(Tensor::retain);
    OpCall changed = new OpCall();
    call.attributes().forEach((name, value) -> changed.attr(name, own(value)));
    for (int changes = 1 + random.nextInt(2); changes > 0; changes--) {
      boolean ofAttribute = !changed.attributes().isEmpty() && random.nextInt(4) == 0;
      if (ofAttribute || inputs.isEmpty()) {
        changeAttribute(changed.attributes());
      } else {
        changeInput(inputs);
      }
    }
    for (int i = 0; i < inputs.size(); i++) {
      if (i < call.inputs().size() && call.isConstant(i) && draw.flip()) {
        changed.constant(inputs.get(i));
      } else {
        changed.input(inputs.get(i));
      }
    }
    return changed;
  }

  private void changeInput(List<Tensor> inputs) {
    int i = random.nextInt(inputs.size());
    Tensor old = inputs.get(i);
    switch (random.nextInt(6)) {
      case 0:
        inputs.set(i, draw.tensor(old.type(), draw.shape(0, 5), -2, 2));
        break;
      case 1:
        inputs.set(i, draw.tensor(draw.oneOf(TYPES), old.shape(), -2, 2));
        break;
      case 2:
        Collections.swap(inputs, i, random.nextInt(inputs.size()));
        return;
      case 3:
        Draw empty = new Draw(random.nextLong(), old.type(), Draw.Size.EMPTY);
        inputs.set(i, empty.tensor(old.type(), empty.shape(1, 4), -2, 2));
        break;
      case 4:
        inputs.set(i, old.rank() == 0 ? flattened(old) : resized(old));
        break;
      default:
        inputs.set(i, hostile(old));
    }
    old.close();
  }

  private Tensor flattened(Tensor old) {
    return old.withShape(draw.flip() ? Shape.of(1) : Shape.of(1, 1));
  }

  /** One dimension longer or shorter. */
  private Tensor resized(Tensor old) {
    int dimension = random.nextInt(old.rank());
    long size = Math.max(0, old.shape().size(dimension) + (draw.flip() ? 1 : -1));
    return draw.tensor(old.type(), old.shape().withSize(dimension, size), -2, 2);
  }

  /** The same with a value that no index or size should have, or no number. */
  private Tensor hostile(Tensor old) {
    if (old.type().isObject() || old.elementCount() == 0) {
      return old.retain();
    }
    Tensor copy =
        Tensor.ofBytes(Allocator.shared(), old.type(), old.shape(), ByteBuffer.wrap(old.toBytes()));
    long at =
        copy.storage().address()
            + old.type().size() * (long) random.nextInt((int) old.elementCount());
    long value = HOSTILE[random.nextInt(HOSTILE.length)];
    switch (old.type()) {
      case INT32:
        Memory.putInt(at, (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, value)));
        break;
      case INT64:
        Memory.putLong(at, value);
        break;
      case FLOAT:
        Memory.putFloat(at, draw.oneOf(Float.NaN, Float.POSITIVE_INFINITY, -1e38f, (float) value));
        break;
      case DOUBLE:
        Memory.putDouble(at, draw.oneOf(Double.NaN, Double.NEGATIVE_INFINITY, 1e300));
        break;
      default:
        break;
    }
    return copy;
  }

  private void changeAttribute(Map<String, AttrValue> attributes) {
    List<String> names = new ArrayList<>(attributes.keySet());
    String name = names.get(random.nextInt(names.size()));
    AttrValue old = attributes.get(name);
    if (old instanceof AttrValue.Int) {
      attributes.put(name, AttrValue.of(HOSTILE[random.nextInt(HOSTILE.length)]));
    } else if (old instanceof AttrValue.Bytes) {
      attributes.put(name, AttrValue.of(draw.oneOf("", "NCHW", "SAME", "\0", "%s")));
    } else if (old instanceof AttrValue.ListValue) {
      attributes.put(name, changedList((AttrValue.ListValue) old));
    } else if (!(old instanceof AttrValue.TensorValue)) {
      attributes.remove(name);
    }
  }

  private AttrValue changedList(AttrValue.ListValue old) {
    List<AttrValue> values = new ArrayList<>(old.values());
    if (values.isEmpty() || draw.flip()) {
      values.add(AttrValue.of(1L));
    } else if (draw.flip()) {
      values.remove(values.size() - 1);
    } else {
      values.set(
          random.nextInt(values.size()), AttrValue.of(HOSTILE[random.nextInt(HOSTILE.length)]));
    }
    return new AttrValue.ListValue(values);
  }

  private static AttrValue own(AttrValue value) {
    return value instanceof AttrValue.TensorValue
        ? AttrValue.of(((AttrValue.TensorValue) value).value().retain())
        : value;
  }
}
