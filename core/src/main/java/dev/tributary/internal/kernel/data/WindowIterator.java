package dev.tributary.internal.kernel.data;

import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Groups of elements: each component of a group as a dataset, or all stacked. */
final class WindowIterator extends SerialIterator {
  /**
   * The positions of windows.
   *
   * @param shift from the first element of a window to that of the next
   * @param stride from one element of a window to the next
   */
  record Layout(long size, long shift, long stride, boolean dropsRemainder) {
    /** Consecutive elements of the input that a window takes. */
    long span() {
      long gaps = size - 1;
      return gaps > (Long.MAX_VALUE - 1) / stride ? Long.MAX_VALUE : gaps * stride + 1;
    }
  }

  private final ElementIterator input;
  private final BatchIterator.Stacking stacking;
  private final Layout layout;
  private final Deque<Tensor[]> buffer = new ArrayDeque<>();
  private long toSkip;
  private boolean inputEnded;

  /**
   * @param stacking makes what is given of the elements of a window, which stay this stage's
   */
  WindowIterator(
      IteratorContext context,
      ElementIterator input,
      Layout layout,
      BatchIterator.Stacking stacking) {
    super(context);
    this.input = input;
    this.stacking = stacking;
    this.layout = layout;
  }

  /** Makes a dataset of each component of a window. */
  static BatchIterator.Stacking datasets(String stage) {
    return elements -> {
      Tensor[] window = new Tensor[elements.get(0).length];
      for (int c = 0; c < window.length; c++) {
        int component = c;
        window[c] = dataset(stage, elements.stream().map(each -> each[component]).toList());
      }
      return window;
    };
  }

  @Override
  void onNext() {
    if (!inputEnded && buffer.size() < layout.span()) {
      pull(input);
    } else if (buffer.isEmpty() || layout.dropsRemainder() && buffer.size() < layout.span()) {
      drop(buffer.size());
      emitEnd();
    } else {
      Tensor[] window = window();
      toSkip = Math.max(0, layout.shift() - buffer.size());
      drop(Math.min(layout.shift(), buffer.size()));
      emit(window);
    }
  }

  @Override
  void onElement(Tensor[] components) {
    if (toSkip > 0) {
      toSkip--;
      Elements.close(components);
    } else {
      keep(components);
      buffer.add(components);
    }
    onNext();
  }

  @Override
  void onEnd() {
    inputEnded = true;
    onNext();
  }

  private Tensor[] window() {
    List<Tensor[]> elements = new ArrayList<>();
    long position = 0;
    for (Tensor[] element : buffer) {
      if (position % layout.stride() == 0 && elements.size() < layout.size()) {
        elements.add(element);
      }
      position++;
    }
    return stacking.stack(elements);
  }

  private static Tensor dataset(String stage, List<Tensor> values) {
    List<Tensor> own = values.stream().map(Tensor::retain).toList();
    return new Dataset(
            "window of " + stage,
            new ElementSpec(List.of(own.get(0).type()), List.of(Shape.unknown())),
            List.of(),
            () -> own.forEach(Tensor::close),
            context -> TensorSources.each(own))
        .toTensor();
  }

  private void drop(long count) {
    for (long i = 0; i < count; i++) {
      Elements.close(unkept(buffer.poll()));
    }
  }

  @Override
  public void save(StateWriter writer) {
    writer.elements(buffer);
    writer.number(toSkip);
    writer.truth(inputEnded);
    input.save(writer);
  }

  @Override
  public void restore(StateReader reader) {
    buffer.addAll(keptAll(reader.elements()));
    toSkip = reader.number();
    inputEnded = reader.truth();
    input.restore(reader);
  }

  @Override
  public void close() {
    drop(buffer.size());
    input.close();
  }
}
