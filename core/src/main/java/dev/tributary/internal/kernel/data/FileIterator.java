package dev.tributary.internal.kernel.data;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileTask;
import dev.tributary.internal.kernel.io.RecordSource;
import dev.tributary.internal.kernel.io.SourceRecord;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The records of files, one file after the other, which are opened and read on file threads. A file
 * that cannot be read on is left with an error; the next request is for the file behind it. Used by
 * whoever has a request open.
 */
final class FileIterator implements ElementIterator {
  /** Enough that the way to a file thread does not matter for short records. */
  private static final int MOST_AHEAD = 256;

  private static final long MOST_BYTES_AHEAD = 1 << 18;

  private static final byte[] END_OF_FILE = {};

  private final String stage;
  private final IteratorContext context;
  private final List<String> names;
  private final RecordSource.Opener opener;

  /** Records that were read and not given; an {@link #END_OF_FILE} behind the last of each file. */
  private final Deque<byte[]> ahead = new ArrayDeque<>();

  private Optional<RecordSource> source = Optional.empty();
  private Optional<RuntimeException> damage = Optional.empty();
  private int file;

  /** The file of the next record to give, and how many of its records were given. */
  private int currentFile;

  private long given;

  /** Records to pass over in the file that is opened next. */
  private long toSkip;

  FileIterator(
      String stage, IteratorContext context, List<String> names, RecordSource.Opener opener) {
    this.stage = stage;
    this.context = context;
    this.names = names;
    this.opener = opener;
  }

  @Override
  public void next(ElementReceiver receiver) {
    passEnds();
    if (!ahead.isEmpty() || damage.isPresent() || file == names.size()) {
      answer(receiver);
      return;
    }
    context.backgroundBegins();
    FileTask task =
        new FileTask(
            stage,
            false,
            () -> {
              readAhead();
              // The consumer's work is not for a file thread, of which there are few.
              context.execute(() -> answerInBackground(receiver));
            });
    try {
      context.device().fileThreads().begin(task);
    } catch (RuntimeException e) {
      damage = Optional.of(e);
      answerInBackground(receiver);
    }
  }

  private void answerInBackground(ElementReceiver receiver) {
    try {
      answer(receiver);
    } finally {
      context.backgroundEnds();
    }
  }

  /** Files without records make no element. */
  private void passEnds() {
    while (ahead.peek() == END_OF_FILE) {
      ahead.poll();
      currentFile++;
      given = 0;
    }
  }

  private void answer(ElementReceiver receiver) {
    passEnds();
    if (!ahead.isEmpty()) {
      given++;
      Tensor record = Tensor.ofObjects(DataType.STRING, Shape.scalar(), ahead.poll());
      try {
        SharedTensors.countStrings(record, context.device().allocator().budget());
      } catch (RuntimeException e) {
        record.close();
        receiver.failure(e);
        return;
      }
      receiver.element(new Tensor[] {record});
    } else if (damage.isPresent()) {
      RuntimeException failure = damage.get();
      damage = Optional.empty();
      currentFile = file;
      given = 0;
      receiver.failure(failure);
    } else {
      receiver.end();
    }
  }

  private void readAhead() {
    long bytes = 0;
    int records = 0;
    while (file < names.size() && records < MOST_AHEAD && bytes < MOST_BYTES_AHEAD) {
      try {
        if (source.isEmpty()) {
          source = Optional.of(opener.open(context.device().files(), names.get(file)));
          skip(source.get());
        }
        Optional<SourceRecord> record = source.get().next();
        if (record.isPresent()) {
          records++;
          ahead.add(record.get().value());
          bytes += record.get().value().length;
        } else {
          closeFile();
          ahead.add(END_OF_FILE);
        }
      } catch (RuntimeException e) {
        damage = Optional.of(e instanceof TributaryException known ? known.at(stage) : e);
        closeFile();
        return;
      } catch (OutOfMemoryError e) {
        // Few bytes of a compressed file can be a record that fills the heap.
        damage =
            Optional.of(
                new TributaryException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    String.format(
                        "%s: no Java heap (-Xmx) for a record of file '%s'",
                        stage, names.get(file)),
                    e));
        closeFile();
        return;
      }
    }
  }

  private void skip(RecordSource from) {
    for (; toSkip > 0 && from.next().isPresent(); toSkip--) {}
    toSkip = 0;
  }

  private void closeFile() {
    file++;
    source.ifPresent(RecordSource::close);
    source = Optional.empty();
  }

  @Override
  public void save(StateWriter writer) {
    writer.number(currentFile);
    writer.number(given);
  }

  @Override
  public void restore(StateReader reader) {
    currentFile = Math.min(reader.index(), names.size());
    file = currentFile;
    given = reader.number();
    toSkip = given;
  }

  @Override
  public void close() {
    source.ifPresent(RecordSource::close);
    source = Optional.empty();
  }
}
