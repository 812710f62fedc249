package dev.tributary.train.data;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import java.util.Arrays;
import java.util.List;

/**
 * The columns of CSV files and how they are written. Immutable.
 *
 * <pre>{@code
 * CsvOptions.columns(DataType.INT64, 0f, "unknown").withHeader()
 * }</pre>
 */
public final class CsvOptions {
  private final List<Object> columns;
  private final FileOptions files;
  private final boolean header;
  private final char delimiter;
  private final boolean quotes;
  private final String naValue;
  private final List<Long> selected;

  private CsvOptions(
      List<Object> columns,
      FileOptions files,
      boolean header,
      char delimiter,
      boolean quotes,
      String naValue,
      List<Long> selected) {
    this.columns = columns;
    this.files = files;
    this.header = header;
    this.delimiter = delimiter;
    this.quotes = quotes;
    this.naValue = naValue;
    this.selected = selected;
  }

  /**
   * Files with these columns, without a header.
   *
   * @param columns for each the value of empty fields, a float, double, int, long or string; or a
   *     {@link DataType} if no field may be empty
   */
  public static CsvOptions columns(Object... columns) {
    if (columns.length == 0) {
      throw TributaryException.invalidArgument("CSV without columns: give one or more");
    }
    return new CsvOptions(
        List.of(columns), FileOptions.defaults(), false, ',', true, "", List.of());
  }

  public CsvOptions withFiles(FileOptions options) {
    return new CsvOptions(columns, options, header, delimiter, quotes, naValue, selected);
  }

  /** Leaves out the first line of each file. */
  public CsvOptions withHeader() {
    return new CsvOptions(columns, files, true, delimiter, quotes, naValue, selected);
  }

  public CsvOptions withDelimiter(char character) {
    return new CsvOptions(columns, files, header, character, quotes, naValue, selected);
  }

  /** Takes quotes for what they are. */
  public CsvOptions withoutQuotes() {
    return new CsvOptions(columns, files, header, delimiter, false, naValue, selected);
  }

  /** A field with this text is empty, too. */
  public CsvOptions withNaValue(String text) {
    return new CsvOptions(columns, files, header, delimiter, quotes, text, selected);
  }

  /** The files have more columns; those that are described have these numbers, ascending. */
  public CsvOptions withSelected(long... numbers) {
    List<Long> some = Arrays.stream(numbers).boxed().toList();
    return new CsvOptions(columns, files, header, delimiter, quotes, naValue, some);
  }

  List<Object> columns() {
    return columns;
  }

  FileOptions files() {
    return files;
  }

  boolean hasHeader() {
    return header;
  }

  String delimiter() {
    return String.valueOf(delimiter);
  }

  boolean hasQuotes() {
    return quotes;
  }

  String naValue() {
    return naValue;
  }

  long[] selected() {
    return selected.stream().mapToLong(Long::longValue).toArray();
  }
}
