package dev.tributary.internal.kernel.data;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Elements from a cache, or those of the input, which are kept for it if they are all. */
final class MemoryCacheIterator extends SerialIterator {
  private final String stage;
  private final Dataset dataset;
  private final MemoryCache cache;
  private final List<Tensor[]> kept = new ArrayList<>();
  private Optional<ElementIterator> input;
  private int index;
  private boolean ended;

  MemoryCacheIterator(IteratorContext context, String stage, Dataset dataset, MemoryCache cache) {
    super(context);
    this.stage = stage;
    this.dataset = dataset;
    this.cache = cache;
    this.input =
        cache.elements().isPresent() ? Optional.empty() : Optional.of(dataset.iterator(context));
  }

  @Override
  void onNext() {
    if (ended) {
      emitEnd();
    } else if (input.isPresent()) {
      pull(input.get());
    } else {
      List<Tensor[]> all = cache.elements().orElseThrow(IteratorContext::closed);
      if (index == all.size()) {
        emitEnd();
      } else {
        emit(Elements.retain(List.of(all.get(index++))));
      }
    }
  }

  @Override
  void onElement(Tensor[] components) {
    if (kept.size() == CacheKernels.MOST_ELEMENTS) {
      Elements.close(components);
      dropAll(kept);
      throw new TributaryException(
          ErrorCode.RESOURCE_EXHAUSTED,
          stage
              + ": a cache holds at most "
              + CacheKernels.MOST_ELEMENTS
              + " elements; "
              + (dataset.cardinality() == Cardinality.INFINITE
                  ? "its input has no end, so put the cache before the repeat"
                  : "put it behind a batch, or cache a part of the dataset"));
    }
    keep(components);
    kept.add(Elements.retain(List.of(components)));
    emit(components);
  }

  @Override
  void onEnd() {
    ended = true;
    List<Tensor[]> all = List.copyOf(kept);
    kept.clear();
    cache.fill(all);
    emitEnd();
  }

  @Override
  public void save(StateWriter writer) {
    Optional<List<Tensor[]>> complete = cache.elements();
    writer.truth(complete.isPresent());
    complete.ifPresent(writer::elements);
    writer.elements(kept);
    writer.number(index);
    writer.truth(ended);
    writer.truth(input.isPresent());
    input.ifPresent(pass -> pass.save(writer));
  }

  @Override
  public void restore(StateReader reader) {
    if (reader.truth()) {
      cache.fill(keptAll(reader.elements()));
    }
    kept.addAll(keptAll(reader.elements()));
    index = reader.index();
    ended = reader.truth();
    if (reader.truth()) {
      input.orElseThrow(StateReader::mismatch).restore(reader);
    } else {
      input.ifPresent(ElementIterator::close);
      input = Optional.empty();
      if (index > cache.elements().map(List::size).orElse(0)) {
        throw StateReader.mismatch();
      }
    }
  }

  @Override
  public void close() {
    dropAll(kept);
    input.ifPresent(ElementIterator::close);
  }
}
