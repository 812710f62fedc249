package dev.tributary.internal.kernel.io;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.List;

/** Splits each record into fields, and reads each field as what its column is. */
public final class DecodeCsv implements Kernel {
  private final List<DataType> types;
  private final CsvColumns columns;
  private final CsvLine line;

  public DecodeCsv(KernelNode node) {
    Attributes attributes = node.attributes();
    types = attributes.types("OUT_TYPE");
    columns = new CsvColumns(types, attributes.string("na_value"));
    line =
        new CsvLine(
            CsvColumns.delimiter(attributes.string("field_delim")),
            attributes.bool("use_quote_delim"),
            CsvColumns.selected(attributes.integers("select_cols"), types.size()));
  }

  @Override
  public void compute(KernelContext context) {
    Tensor records = context.input(0);
    Tensor[] outputs = new Tensor[types.size()];
    for (int i = 0; i < outputs.length; i++) {
      CsvColumns.requireDefault(i, context.input(i + 1));
      outputs[i] = context.allocateOutput(i, records.shape());
    }
    Object[] lines = records.objects();
    for (int record = 0; record < lines.length; record++) {
      List<byte[]> fields = line.fields((byte[]) lines[record]);
      if (fields.size() != outputs.length) {
        throw TributaryException.invalidArgument(
            "Expect %d fields but have %d in record %d", outputs.length, fields.size(), record);
      }
      for (int i = 0; i < outputs.length; i++) {
        columns.put(i, fields.get(i), context.input(i + 1), outputs[i], record);
      }
    }
  }
}
