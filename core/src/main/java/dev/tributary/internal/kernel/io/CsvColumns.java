package dev.tributary.internal.kernel.io;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.text.NumberText;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads fields of CSV as what their columns are. Immutable. */
public final class CsvColumns {
  private final List<DataType> types;
  private final List<Optional<NumberText>> numbers = new ArrayList<>();
  private final byte[] missing;

  /**
   * @param missing stands for no value, as an empty field does
   */
  public CsvColumns(List<DataType> types, String missing) {
    this.types = List.copyOf(types);
    this.missing = missing.getBytes(StandardCharsets.UTF_8);
    types.forEach(
        type ->
            numbers.add(
                type == DataType.STRING ? Optional.empty() : Optional.of(new NumberText(type))));
  }

  public static byte delimiter(String text) {
    byte[] delimiter = text.getBytes(StandardCharsets.UTF_8);
    if (delimiter.length != 1) {
      throw TributaryException.invalidArgument("field_delim should be only 1 char");
    }
    return delimiter[0];
  }

  /** The columns to keep, of which there are none if all are kept. */
  public static int[] selected(long[] selected, int outputs) {
    if (selected.length != 0 && selected.length != outputs) {
      throw TributaryException.invalidArgument(
          "select_cols should match output size: %d columns for %d outputs",
          selected.length, outputs);
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

  public static void requireDefault(int column, Tensor value) {
    if (value.elementCount() > 1 || value.rank() > 1) {
      throw TributaryException.invalidArgument(
          "There should only be 1 default per field but field %d has shape %s",
          column, value.shape());
    }
  }

  /**
   * Writes a field into an element of a tensor.
   *
   * @param defaultValue for a field without a value, which is required if this is empty
   */
  public void put(int column, byte[] field, Tensor defaultValue, Tensor output, int element) {
    boolean isMissing = field.length == 0 || Arrays.equals(field, missing);
    if (isMissing && defaultValue.elementCount() == 0) {
      throw TributaryException.invalidArgument(
          "Field %d is required but missing in record %d!", column, element);
    }
    DataType type = types.get(column);
    if (type == DataType.STRING) {
      output.objects()[element] = isMissing ? defaultValue.objects()[0] : field;
      return;
    }
    long to = output.storage().address() + (long) element * type.size();
    if (isMissing) {
      Memory.copy(defaultValue.storage().address(), to, type.size());
      return;
    }
    String text = new String(field, StandardCharsets.ISO_8859_1);
    try {
      numbers.get(column).orElseThrow().put(text, to);
    } catch (NumberFormatException e) {
      throw TributaryException.invalidArgument(
          "Field %d in record %d is not a valid %s: %s", column, element, type.lowerName(), text);
    }
  }
}
