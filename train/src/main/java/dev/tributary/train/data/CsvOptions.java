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
  /** As many as TensorFlow's {@code make_csv_dataset} looks at. */
  private static final int USUAL_INFERENCE_ROWS = 100;

  /**
   * The columns that become components.
   *
   * @param defaults one for each, or none if they follow from the rows
   * @param names none if they are those of the header
   * @param selected numbers of columns, none if all are taken
   * @param selectedNames the same by names
   */
  private record Columns(
      List<Object> defaults,
      List<String> names,
      List<Long> selected,
      List<String> selectedNames,
      int inferenceRows) {}

  /** The characters of the files. */
  private record Format(
      FileOptions files, boolean header, char delimiter, boolean quotes, String naValue) {}

  private final Columns columns;
  private final Format format;

  private CsvOptions(Columns columns, Format format) {
    this.columns = columns;
    this.format = format;
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
        new Columns(List.of(columns), List.of(), List.of(), List.of(), USUAL_INFERENCE_ROWS),
        new Format(FileOptions.defaults(), false, ',', true, ""));
  }

  /**
   * Files with a header that names their columns, whose types follow from the first rows: the
   * narrowest of int32, int64, float, double and string. An empty field is 0, or an empty string.
   * For {@link Dataset#makeCsvDataset}.
   */
  public static CsvOptions inferred() {
    return new CsvOptions(
        new Columns(List.of(), List.of(), List.of(), List.of(), USUAL_INFERENCE_ROWS),
        new Format(FileOptions.defaults(), true, ',', true, ""));
  }

  public CsvOptions withFiles(FileOptions options) {
    return with(
        new Format(options, format.header, format.delimiter, format.quotes, format.naValue));
  }

  /** Leaves out the first line of each file. */
  public CsvOptions withHeader() {
    return withHeader(true);
  }

  /** Takes the first line of each file for a row like others. */
  public CsvOptions withoutHeader() {
    return withHeader(false);
  }

  private CsvOptions withHeader(boolean header) {
    return with(new Format(format.files, header, format.delimiter, format.quotes, format.naValue));
  }

  public CsvOptions withDelimiter(char character) {
    return with(new Format(format.files, format.header, character, format.quotes, format.naValue));
  }

  /** Takes quotes for what they are. */
  public CsvOptions withoutQuotes() {
    return with(new Format(format.files, format.header, format.delimiter, false, format.naValue));
  }

  /** A field with this text is empty, too. */
  public CsvOptions withNaValue(String text) {
    return with(new Format(format.files, format.header, format.delimiter, format.quotes, text));
  }

  private CsvOptions with(Format other) {
    return new CsvOptions(columns, other);
  }

  /** The files have more columns; those that are described have these numbers, ascending. */
  public CsvOptions withSelected(long... numbers) {
    return new CsvOptions(
        new Columns(
            columns.defaults,
            columns.names,
            Arrays.stream(numbers).boxed().toList(),
            List.of(),
            columns.inferenceRows),
        format);
  }

  /** The files have more columns than these, which {@link Dataset#makeCsvDataset} keeps. */
  public CsvOptions withSelected(String... names) {
    return new CsvOptions(
        new Columns(
            columns.defaults, columns.names, List.of(), List.of(names), columns.inferenceRows),
        format);
  }

  /** The names of all columns of the files, in place of those in a header. */
  public CsvOptions withNames(String... names) {
    return new CsvOptions(
        new Columns(
            columns.defaults,
            List.of(names),
            columns.selected,
            columns.selectedNames,
            columns.inferenceRows),
        format);
  }

  /** The number of rows from which the types of columns follow. */
  public CsvOptions withInferenceRows(int rows) {
    Stages.requirePositive("makeCsvDataset", "the number of rows to look at", rows);
    return new CsvOptions(
        new Columns(columns.defaults, columns.names, columns.selected, columns.selectedNames, rows),
        format);
  }

  /** The same files, of which these columns become components. */
  CsvOptions resolved(List<Object> defaults, List<Long> numbers, FileOptions files) {
    Columns known = new Columns(defaults, columns.names, numbers, List.of(), columns.inferenceRows);
    return new CsvOptions(known, format).withFiles(files);
  }

  List<Object> columns() {
    return columns.defaults;
  }

  List<String> names() {
    return columns.names;
  }

  List<String> selectedNames() {
    return columns.selectedNames;
  }

  int inferenceRows() {
    return columns.inferenceRows;
  }

  FileOptions files() {
    return format.files;
  }

  boolean hasHeader() {
    return format.header;
  }

  String delimiter() {
    return String.valueOf(format.delimiter);
  }

  boolean hasQuotes() {
    return format.quotes;
  }

  String naValue() {
    return format.naValue;
  }

  long[] selected() {
    return columns.selected.stream().mapToLong(Long::longValue).toArray();
  }
}
