package dev.tributary.internal.kernel.data;

import dev.tributary.internal.memory.Variant;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Saved elements: those of the dataset that a function makes of a dataset of shards. If none are
 * saved, those of another pass, which may save them.
 */
final class StoredIterator extends SerialIterator {
  private final ElementStore store;
  private final StageFunction readerFunction;
  private final Supplier<Optional<ElementIterator>> otherwise;
  private List<String> shards = List.of();
  private boolean isSaved;
  private Tensor[] arguments = Elements.NONE;
  private Optional<ElementIterator> pass = Optional.empty();
  private Optional<Dataset> dataset = Optional.empty();
  private Optional<StateReader> saved = Optional.empty();

  /**
   * @param otherwise begins the pass that takes the place of elements that are not saved, if any
   */
  StoredIterator(
      IteratorContext context,
      ElementStore store,
      StageFunction readerFunction,
      Supplier<Optional<ElementIterator>> otherwise) {
    super(context);
    this.store = store;
    this.readerFunction = readerFunction;
    this.otherwise = otherwise;
  }

  @Override
  void onNext() {
    if (pass.isPresent()) {
      pull(pass.get());
    } else {
      callFiles(store.stage(), this::find);
    }
  }

  /** On a file thread. */
  private void find() {
    Optional<List<String>> found = store.shards(context().device().files());
    isSaved = found.isPresent();
    shards = found.orElse(List.of());
  }

  @Override
  void onFilesDone() {
    if (isSaved) {
      arguments = new Tensor[] {SharedTensors.take(shardsDataset().toTensor())};
      call(readerFunction, arguments);
      return;
    }
    pass = otherwise.get();
    if (pass.isEmpty()) {
      throw store.nothingSaved();
    }
    restorePass();
    onNext();
  }

  private Dataset shardsDataset() {
    List<Tensor> elements = new ArrayList<>();
    for (String shard : shards) {
      elements.add(SharedTensors.take(store.shard(shard).toTensor()));
    }
    return new Dataset(
        store.stage(),
        new ElementSpec(List.of(DataType.VARIANT), List.of(Shape.scalar())),
        elements.size(),
        List.of(),
        () -> elements.forEach(Tensor::close),
        context -> TensorSources.each(elements));
  }

  @Override
  void onResults(Tensor[] results) {
    dropArguments();
    try {
      Dataset made = Dataset.in(results[0]);
      Variant.share(made);
      dataset = Optional.of(made);
      pass = Optional.of(made.begin(context()));
      restorePass();
    } finally {
      Elements.close(results);
    }
    onNext();
  }

  private void restorePass() {
    if (saved.isPresent()) {
      try (StateReader from = saved.get()) {
        saved = Optional.empty();
        pass.orElseThrow().restore(from);
      }
    }
  }

  @Override
  void onElement(Tensor[] components) {
    emit(components);
  }

  @Override
  void onFailure(RuntimeException failure) {
    boolean isCall = arguments != Elements.NONE;
    dropArguments();
    emitFailure(isCall ? MapIterator.named(readerFunction, failure) : failure);
  }

  private void dropArguments() {
    Tensor[] done = arguments;
    arguments = Elements.NONE;
    Elements.close(done);
  }

  @Override
  public void save(StateWriter writer) {
    writer.truth(pass.isPresent() || saved.isPresent());
    if (pass.isPresent() || saved.isPresent()) {
      writer.section(
          () -> {
            if (saved.isPresent()) {
              saved.get().copyTo(writer);
            } else {
              pass.get().save(writer);
            }
          });
    }
  }

  @Override
  public void restore(StateReader reader) {
    saved = reader.truth() ? Optional.of(reader.section()) : Optional.empty();
  }

  @Override
  public void close() {
    saved.ifPresent(StateReader::close);
    pass.ifPresent(ElementIterator::close);
    dataset.ifPresent(Variant::end);
  }
}
