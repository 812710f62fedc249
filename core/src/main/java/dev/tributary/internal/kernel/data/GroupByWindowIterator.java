package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Elements in groups by a key that a function gives each. A group that is large enough, and at the
 * end each that is left, goes through another function, which makes the dataset of what is given.
 */
final class GroupByWindowIterator extends SerialIterator {
  /**
   * The functions of the stage.
   *
   * @param key of an element
   * @param reduce makes a dataset of a key and the dataset of a group's elements
   * @param windowSize of a key
   */
  record Functions(StageFunction key, StageFunction reduce, StageFunction windowSize) {}

  private enum Asked {
    INPUT,
    KEY,
    SIZE,
    REDUCE,
    WINDOW
  }

  private final Dataset input;
  private final ElementIterator pass;
  private final Functions functions;
  private final String stage;

  /** By key, in whose order they are given at the end. */
  private final Map<Long, List<Tensor[]>> groups = new TreeMap<>();

  private final Map<Long, Long> sizes = new TreeMap<>();
  private Asked asked = Asked.INPUT;
  private Tensor[] element = Elements.NONE;
  private Tensor[] arguments = Elements.NONE;
  private InterleaveSlot window;
  private long key;
  private boolean inputEnded;

  GroupByWindowIterator(IteratorContext context, Dataset input, Functions functions, String stage) {
    super(context);
    this.input = input;
    this.pass = input.iterator(context);
    this.functions = functions;
    this.stage = stage;
  }

  @Override
  void onNext() {
    if (window != null && window.isOpen()) {
      asked = Asked.WINDOW;
      pull(window.pass());
    } else if (window != null) {
      reduce();
    } else if (!inputEnded) {
      asked = Asked.INPUT;
      pull(pass);
    } else if (!groups.isEmpty()) {
      flush(groups.keySet().iterator().next());
    } else {
      emitEnd();
    }
  }

  @Override
  void onElement(Tensor[] components) {
    if (asked == Asked.WINDOW) {
      emit(components);
      return;
    }
    element = components;
    asked = Asked.KEY;
    call(functions.key(), components);
  }

  @Override
  void onResults(Tensor[] results) {
    switch (asked) {
      case KEY -> {
        key = number(results, functions.key(), "Key");
        if (sizes.containsKey(key)) {
          add();
        } else {
          asked = Asked.SIZE;
          arguments = new Tensor[] {Tensor.scalar(key)};
          call(functions.windowSize(), arguments);
        }
      }
      case SIZE -> {
        dropArguments();
        long size = number(results, functions.windowSize(), "Window size");
        if (size <= 0) {
          throw TributaryException.invalidArgument(
                  "Window size must be greater than zero, but got %d.", size)
              .at(functions.windowSize().stage());
        }
        sizes.put(key, size);
        add();
      }
      default -> {
        dropArguments();
        try {
          window.open(results, context());
        } catch (RuntimeException e) {
          dropWindow();
          throw e;
        } finally {
          Elements.close(results);
        }
        onNext();
      }
    }
  }

  private void add() {
    Tensor[] added = element;
    element = Elements.NONE;
    keep(added);
    List<Tensor[]> group = groups.computeIfAbsent(key, unused -> new ArrayList<>());
    group.add(added);
    if (group.size() >= sizes.get(key)) {
      flush(key);
    } else {
      onNext();
    }
  }

  private void flush(long full) {
    key = full;
    window = new InterleaveSlot(Elements.NONE);
    reduce();
  }

  private void reduce() {
    asked = Asked.REDUCE;
    arguments = new Tensor[] {Tensor.scalar(key), elements(groups.get(key))};
    call(functions.reduce(), arguments);
  }

  /** The dataset of a group's elements. */
  private Tensor elements(List<Tensor[]> group) {
    List<Tensor[]> own = new ArrayList<>();
    group.forEach(one -> own.add(Elements.retain(List.of(one))));
    return new Dataset(
            "window of " + stage,
            input.spec(),
            own.size(),
            List.of(),
            () -> Elements.close(own),
            unused -> TensorSources.elements(own))
        .toTensor();
  }

  @Override
  void onEnd() {
    if (asked == Asked.WINDOW) {
      dropWindow();
    } else {
      inputEnded = true;
    }
    onNext();
  }

  @Override
  void onFailure(RuntimeException failure) {
    Elements.close(element);
    element = Elements.NONE;
    dropArguments();
    switch (asked) {
      case KEY -> emitFailure(MapIterator.named(functions.key(), failure));
      case SIZE -> emitFailure(MapIterator.named(functions.windowSize(), failure));
      case REDUCE -> {
        dropWindow();
        emitFailure(MapIterator.named(functions.reduce(), failure));
      }
      default -> emitFailure(failure);
    }
  }

  /** The group of a window ends with it. */
  private void dropWindow() {
    window.close();
    window = null;
    dropAll(groups.remove(key));
  }

  private void dropArguments() {
    Tensor[] done = arguments;
    arguments = Elements.NONE;
    Elements.close(done);
  }

  private static long number(Tensor[] results, StageFunction function, String what) {
    try {
      if (results.length != 1 || results[0].rank() != 0 || results[0].type() != DataType.INT64) {
        throw TributaryException.invalidArgument(
                "%s function must return a scalar int64 tensor.", what)
            .at(function.stage());
      }
      return results[0].longValue();
    } finally {
      Elements.close(results);
    }
  }

  @Override
  public void save(StateWriter writer) {
    writer.number(groups.size());
    groups.forEach(
        (of, elements) -> {
          writer.number(of);
          writer.elements(elements);
        });
    writer.number(sizes.size());
    sizes.forEach(
        (of, size) -> {
          writer.number(of);
          writer.number(size);
        });
    writer.number(key);
    writer.truth(inputEnded);
    writer.truth(window != null);
    if (window != null) {
      window.save(writer);
    }
    pass.save(writer);
  }

  @Override
  public void restore(StateReader reader) {
    for (int left = reader.count(); left > 0; left--) {
      groups.put(reader.number(), keptAll(reader.elements()));
    }
    for (int left = reader.count(); left > 0; left--) {
      sizes.put(reader.number(), reader.number());
    }
    key = reader.number();
    inputEnded = reader.truth();
    if (reader.truth()) {
      window = InterleaveSlot.restored(reader);
      if (!groups.containsKey(key)) {
        throw StateReader.mismatch();
      }
    }
    pass.restore(reader);
  }

  @Override
  public void close() {
    Elements.close(element);
    if (window != null) {
      window.close();
    }
    groups.values().forEach(this::dropAll);
    pass.close();
  }
}
