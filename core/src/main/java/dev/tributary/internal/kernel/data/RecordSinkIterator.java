package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.record.Compression;
import dev.tributary.record.RecordWriter;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Writes the elements of the input, each a string, to a TFRecord file on file threads. Its only
 * element has no components and comes when the file is complete.
 */
final class RecordSinkIterator extends SerialIterator {
  private static final int MOST_WAITING = 256;

  private final String stage;
  private final ElementIterator input;
  private final String file;
  private final Compression compression;
  private final List<byte[]> records = new ArrayList<>();
  private Optional<RecordWriter> writer = Optional.empty();
  private boolean inputEnded;
  private boolean ended;

  RecordSinkIterator(
      IteratorContext context,
      String stage,
      ElementIterator input,
      String file,
      Compression compression) {
    super(context);
    this.stage = stage;
    this.input = input;
    this.file = file;
    this.compression = compression;
  }

  @Override
  void onNext() {
    if (ended) {
      emitEnd();
    } else {
      pull(input);
    }
  }

  @Override
  void onElement(Tensor[] components) {
    try {
      if (components.length != 1
          || components[0].type() != DataType.STRING
          || components[0].rank() != 0) {
        throw TributaryException.invalidArgument(
            "%s: an element must be one scalar string to be a record", stage);
      }
      records.add((byte[]) components[0].objects()[0]);
    } finally {
      Elements.close(components);
    }
    if (records.size() < MOST_WAITING) {
      pull(input);
    } else {
      callFiles(stage, this::write);
    }
  }

  @Override
  void onEnd() {
    inputEnded = true;
    callFiles(stage, this::write);
  }

  /** On a file thread. */
  private void write() {
    if (writer.isEmpty()) {
      writer = Optional.of(open());
    }
    records.forEach(writer.get()::write);
    records.clear();
    if (inputEnded) {
      writer.get().close();
      writer = Optional.empty();
    }
  }

  private RecordWriter open() {
    FileRoot root = context().device().files();
    Path path = root.resolve(file);
    try {
      return RecordWriter.of(path, root.sink(path), compression);
    } catch (IOException e) {
      throw FileFailure.of("write record file", path, e);
    }
  }

  @Override
  void onFilesDone() {
    if (inputEnded) {
      ended = true;
      emit();
    } else {
      pull(input);
    }
  }

  @Override
  public void save(StateWriter state) {
    throw TributaryException.unimplemented("%s: a file that is written cannot be saved", stage);
  }

  @Override
  public void restore(StateReader state) {
    throw StateReader.mismatch();
  }

  @Override
  public void close() {
    writer.ifPresent(RecordWriter::close);
    input.close();
  }
}
