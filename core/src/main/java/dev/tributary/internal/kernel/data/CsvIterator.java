package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.io.CsvColumns;
import dev.tributary.internal.kernel.io.CsvLine;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** The fields of CSV records, each a scalar. */
final class CsvIterator extends SerialIterator {
  /**
   * The way records are read.
   *
   * @param files their names, for messages
   * @param excluded columns to leave out, ascending
   */
  record Format(
      List<String> files,
      CsvLine line,
      int[] excluded,
      CsvColumns columns,
      List<DataType> types,
      List<Tensor> defaults) {}

  private final ElementIterator records;
  private final Format format;
  private long count;

  CsvIterator(IteratorContext context, ElementIterator records, Format format) {
    super(context);
    this.records = records;
    this.format = format;
  }

  @Override
  void onNext() {
    pull(records);
  }

  @Override
  void onElement(Tensor[] components) {
    count++;
    Tensor[] fields;
    try {
      fields = fields((byte[]) components[0].objects()[0]);
    } catch (TributaryException e) {
      throw e.at("record " + count + " of " + format.files());
    } finally {
      Elements.close(components);
    }
    emit(fields);
  }

  private Tensor[] fields(byte[] record) {
    List<byte[]> texts = format.line().fields(record);
    for (int i = format.excluded().length - 1; i >= 0; i--) {
      if (format.excluded()[i] < texts.size()) {
        texts.remove(format.excluded()[i]);
      }
    }
    int wanted = format.types().size();
    if (texts.size() != wanted) {
      throw TributaryException.invalidArgument(
          "Expect %d fields but have %s in record",
          wanted, texts.size() > wanted ? "more" : "" + texts.size());
    }
    Tensor[] fields = new Tensor[wanted];
    try {
      for (int i = 0; i < wanted; i++) {
        fields[i] =
            SharedTensors.allocate(
                context().device().allocator(), format.types().get(i), Shape.scalar());
        format.columns().put(i, texts.get(i), format.defaults().get(i), fields[i], 0);
      }
      return fields;
    } catch (RuntimeException e) {
      Elements.close(fields);
      throw e;
    }
  }

  @Override
  public void save(StateWriter writer) {
    writer.number(count);
    records.save(writer);
  }

  @Override
  public void restore(StateReader reader) {
    count = reader.number();
    records.restore(reader);
  }

  @Override
  public void close() {
    records.close();
  }
}
