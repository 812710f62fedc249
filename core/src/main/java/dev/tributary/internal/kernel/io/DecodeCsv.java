package dev.tributary.internal.kernel.io;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.text.NumberText;
import dev.tributary.internal.memory.Memory;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Splits each record into fields, and reads each field as what its column is. */
public final class DecodeCsv implements Kernel {
  private final List<DataType> types;
  private final List<Optional<NumberText>> numbers = new ArrayList<>();
  private final CsvLine line;
  private final byte[] missing;

  public DecodeCsv(KernelNode node) {
    Attributes attributes = node.attributes();
    types = attributes.types("OUT_TYPE");
    types.forEach(
        type ->
            numbers.add(
                type == DataType.STRING ? Optional.empty() : Optional.of(new NumberText(type))));
    byte[] delimiter = attributes.string("field_delim").getBytes(StandardCharsets.UTF_8);
    if (delimiter.length != 1) {
      throw TributaryException.invalidArgument("field_delim should be only 1 char");
    }
    missing = attributes.string("na_value").getBytes(StandardCharsets.UTF_8);
    line =
        new CsvLine(
            delimiter[0],
            attributes.bool("use_quote_delim"),
            columns(attributes.integers("select_cols")));
  }

  private int[] columns(long[] selected) {
    if (selected.length != 0 && selected.length != types.size()) {
      throw TributaryException.invalidArgument(
          "select_cols should match output size: %d columns for %d outputs",
          selected.length, types.size());
    }
    int[] columns = new int[selected.length];
    long before = -1;
    for (int i = 0; i < columns.length; i++) {
      if (selected[i] <= before || selected[i] > Integer.MAX_VALUE) {
        throw TributaryException.invalidArgument(
            "select_cols should be strictly increasing indices, got %s", Arrays.toString(selected));
      }
      before = selected[i];
      columns[i] = (int) selected[i];
    }
    return columns;
  }

  @Override
  public void compute(KernelContext context) {
    Tensor records = context.input(0);
    Tensor[] outputs = new Tensor[types.size()];
    for (int i = 0; i < outputs.length; i++) {
      Tensor defaultValue = context.input(i + 1);
      if (defaultValue.elementCount() > 1 || defaultValue.rank() > 1) {
        throw TributaryException.invalidArgument(
            "There should only be 1 default per field but field %d has shape %s",
            i, defaultValue.shape());
      }
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
        put(fields.get(i), i, record, context.input(i + 1), outputs[i]);
      }
    }
  }

  private void put(byte[] field, int column, int record, Tensor defaultValue, Tensor output) {
    boolean isMissing = field.length == 0 || Arrays.equals(field, missing);
    if (isMissing && defaultValue.elementCount() == 0) {
      throw TributaryException.invalidArgument(
          "Field %d is required but missing in record %d!", column, record);
    }
    DataType type = types.get(column);
    if (type == DataType.STRING) {
      output.objects()[record] = isMissing ? defaultValue.objects()[0] : field;
      return;
    }
    long to = output.storage().address() + (long) record * type.size();
    if (isMissing) {
      Memory.copy(defaultValue.storage().address(), to, type.size());
      return;
    }
    String text = new String(field, StandardCharsets.ISO_8859_1);
    try {
      numbers.get(column).orElseThrow().put(text, to);
    } catch (NumberFormatException e) {
      throw TributaryException.invalidArgument(
          "Field %d in record %d is not a valid %s: %s", column, record, type.lowerName(), text);
    }
  }
}
