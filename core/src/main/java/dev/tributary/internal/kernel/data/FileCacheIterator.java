package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.bundle.CachedElements;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.tensor.Tensor;
import java.util.Optional;

/**
 * Elements from files, or those of the input, which are written to the files as they come. The
 * files are used once they are complete. They are read and written on file threads.
 */
final class FileCacheIterator extends SerialIterator {
  private enum Work {
    BEGIN,
    READ,
    WRITE,
    FINISH
  }

  private final String stage;
  private final Dataset dataset;
  private final String files;
  private final int width;
  private final ElementsAhead ahead = new ElementsAhead();
  private Optional<ElementIterator> input = Optional.empty();
  private Optional<CachedElements.Writer> writer = Optional.empty();
  private Optional<CachedElements.Reader> reader = Optional.empty();
  private Work work = Work.BEGIN;
  private Tensor[] element = Elements.NONE;
  private boolean begun;
  private boolean ended;

  /** Elements that were given, and those to read before more are. */
  private long given;

  /**
   * @param width the components of an element
   */
  FileCacheIterator(
      IteratorContext context, String stage, Dataset dataset, String files, int width) {
    super(context);
    this.stage = stage;
    this.dataset = dataset;
    this.files = files;
    this.width = width;
  }

  @Override
  void onNext() {
    if (!ahead.isEmpty()) {
      given++;
      emit(ahead.poll());
    } else if (ended) {
      emitEnd();
    } else if (!begun) {
      begin(Work.BEGIN);
    } else if (reader.isPresent()) {
      begin(Work.READ);
    } else {
      pull(input.orElseThrow());
    }
  }

  private void begin(Work next) {
    work = next;
    callFiles(stage, this::doWork);
  }

  /** On a file thread. */
  private void doWork() {
    FileRoot root = context().device().files();
    switch (work) {
      case BEGIN -> {
        reader = CachedElements.open(root, files, width);
        if (reader.isPresent()) {
          reader.get().skip(given);
          read();
        } else if (given > 0) {
          throw TributaryException.failedPrecondition(
              "the files '%s' of the cache are gone, of which %d elements were given",
              files, given);
        } else {
          writer = Optional.of(CachedElements.begin(root, files, width));
        }
      }
      case READ -> read();
      case WRITE -> writer.orElseThrow().add(element);
      case FINISH -> writer.orElseThrow().finish();
    }
  }

  private void read() {
    ended = !ahead.fill(() -> reader.orElseThrow().next(context().device().allocator()));
  }

  @Override
  void onFilesDone() {
    begun = true;
    switch (work) {
      case BEGIN -> {
        if (reader.isEmpty() && input.isEmpty()) {
          input = Optional.of(dataset.iterator(context()));
        }
        onNext();
      }
      case READ -> onNext();
      case WRITE -> {
        Tensor[] written = element;
        element = Elements.NONE;
        given++;
        emit(written);
      }
      case FINISH -> {
        ended = true;
        writer = Optional.empty();
        emitEnd();
      }
    }
  }

  @Override
  void onElement(Tensor[] components) {
    element = components;
    begin(Work.WRITE);
  }

  @Override
  void onEnd() {
    begin(Work.FINISH);
  }

  @Override
  void onFailure(RuntimeException failure) {
    Elements.close(element);
    element = Elements.NONE;
    emitFailure(failure);
  }

  @Override
  public void save(StateWriter state) {
    if (writer.isPresent()) {
      throw TributaryException.unimplemented(
          "%s: a pass that writes the files '%s' cannot be saved; save when the cache is complete,"
              + " which is at the end of its first pass",
          stage, files);
    }
    state.number(given);
    state.truth(ended && ahead.isEmpty());
  }

  @Override
  public void restore(StateReader state) {
    given = state.number();
    ended = state.truth();
  }

  @Override
  public void close() {
    Elements.close(element);
    ahead.close();
    input.ifPresent(ElementIterator::close);
    reader.ifPresent(CachedElements.Reader::close);
    writer.ifPresent(CachedElements.Writer::close);
  }
}
