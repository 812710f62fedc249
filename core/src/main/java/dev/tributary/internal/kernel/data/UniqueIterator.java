package dev.tributary.internal.kernel.data;

import dev.tributary.internal.memory.ElementHeap;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The elements that did not come before. It keeps a copy of each of them. */
final class UniqueIterator extends SerialIterator {
  private final ElementIterator input;
  private final Set<ByteBuffer> seen = new HashSet<>();
  private long heapBytes;

  UniqueIterator(IteratorContext context, ElementIterator input) {
    super(context);
    this.input = input;
  }

  @Override
  void onNext() {
    pull(input);
  }

  @Override
  void onElement(Tensor[] components) {
    ByteBuffer key = key(components);
    if (!seen.contains(key)) {
      try {
        remember(key);
      } catch (RuntimeException e) {
        Elements.close(components);
        throw e;
      }
      emit(components);
    } else {
      Elements.close(components);
      pull(input);
    }
  }

  private void remember(ByteBuffer key) {
    long bytes = ElementHeap.ofElement(1) + key.remaining();
    context().heap().take(bytes, "an element that came before");
    heapBytes += bytes;
    seen.add(key);
  }

  /** Types, shapes and contents: what differs in any of them is another element. */
  private static ByteBuffer key(Tensor[] components) {
    List<byte[]> parts = new ArrayList<>();
    for (Tensor component : components) {
      parts.add(component.shape().toString().getBytes(StandardCharsets.UTF_8));
      if (component.type() == DataType.STRING) {
        for (Object text : component.objects()) {
          byte[] bytes = (byte[]) text;
          parts.add(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
          parts.add(bytes);
        }
      } else {
        parts.add(component.toBytes());
      }
    }
    ByteBuffer key = ByteBuffer.allocate(parts.stream().mapToInt(part -> part.length).sum());
    parts.forEach(key::put);
    return key.flip();
  }

  @Override
  public void save(StateWriter writer) {
    Object[] keys = seen.stream().map(ByteBuffer::array).toArray();
    try (Tensor all = Tensor.ofObjects(DataType.STRING, Shape.of(keys.length), keys)) {
      writer.tensor(all);
    }
    input.save(writer);
  }

  @Override
  public void restore(StateReader reader) {
    for (Object key : reader.tensor().objects()) {
      remember(ByteBuffer.wrap((byte[]) key));
    }
    input.restore(reader);
  }

  @Override
  public void close() {
    context().heap().giveBack(heapBytes);
    input.close();
  }
}
