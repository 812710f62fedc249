package dev.tributary.internal.kernel.data;

import dev.tributary.internal.file.FilePattern;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** The names of the files that match any of some patterns when the pass begins, in order. */
final class MatchingFilesIterator extends SerialIterator {
  private final String stage;
  private final List<String> patterns;
  private Optional<List<String>> names = Optional.empty();
  private int index;

  MatchingFilesIterator(IteratorContext context, String stage, List<String> patterns) {
    super(context);
    this.stage = stage;
    this.patterns = patterns;
  }

  @Override
  void onNext() {
    if (names.isEmpty()) {
      callFiles(stage, this::find);
    } else {
      onFilesDone();
    }
  }

  private void find() {
    TreeSet<String> found = new TreeSet<>();
    patterns.forEach(
        pattern -> found.addAll(FilePattern.matches(context().device().files(), pattern)));
    names = Optional.of(List.copyOf(found));
  }

  @Override
  void onFilesDone() {
    List<String> all = names.orElseThrow();
    if (index >= all.size()) {
      emitEnd();
    } else {
      emit(Tensor.scalar(all.get(index++)));
    }
  }

  @Override
  void onElement(Tensor[] components) {
    throw new IllegalStateException("this stage has no input");
  }

  /** The names are saved, too: files that came meanwhile are for the next pass. */
  @Override
  public void save(StateWriter writer) {
    writer.number(index);
    writer.truth(names.isPresent());
    if (names.isPresent()) {
      writer.number(names.get().size());
      names.get().forEach(writer::text);
    }
  }

  @Override
  public void restore(StateReader reader) {
    index = reader.index();
    if (reader.truth()) {
      int count = reader.count();
      String[] all = new String[count];
      for (int i = 0; i < count; i++) {
        all[i] = reader.text();
      }
      names = Optional.of(List.of(all));
    }
  }
}
