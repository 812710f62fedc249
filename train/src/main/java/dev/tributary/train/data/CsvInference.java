package dev.tributary.train.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.kernel.io.CsvLine;
import dev.tributary.internal.kernel.io.RecordSource;
import dev.tributary.internal.kernel.io.SourceRecord;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The names and types of the columns of CSV files, which the files themselves tell. */
final class CsvInference {
  private final List<String> files;
  private final CsvOptions options;
  private final CsvLine fields;

  CsvInference(List<String> files, CsvOptions options) {
    this.files = files;
    this.options = options;
    this.fields =
        new CsvLine((byte) options.delimiter().charAt(0), options.hasQuotes(), new int[0]);
  }

  /** The names that were given, or those in the headers, which must agree. */
  List<String> names() {
    List<String> names = options.names();
    if (names.isEmpty() && !options.hasHeader()) {
      throw TributaryException.invalidArgument(
          "the columns of %s have no names: give withNames, or withHeader if the first line has"
              + " them",
          files.get(0));
    }
    if (names.isEmpty()) {
      names = header(files.get(0));
      for (String file : files) {
        List<String> others = header(file);
        if (!others.equals(names)) {
          throw TributaryException.invalidArgument(
              "the header of %s is %s, but that of %s is %s: files of one table have the same"
                  + " columns",
              file, others, files.get(0), names);
        }
      }
    }
    if (new HashSet<>(names).size() < names.size()) {
      throw TributaryException.invalidArgument(
          "two columns of %s have one name: %s", files.get(0), names);
    }
    return names;
  }

  private List<String> header(String file) {
    try (RecordSource source = open(file, false)) {
      Optional<SourceRecord> line = source.next();
      if (line.isEmpty()) {
        throw TributaryException.invalidArgument(
            "%s is empty: it needs a header with the names of its columns", file);
      }
      return texts(line.get());
    }
  }

  private RecordSource open(String file, boolean skipsHeader) {
    return RecordSource.csv(
            options.files().compression(), options.hasQuotes(), skipsHeader && options.hasHeader())
        .open(FileRoot.anywhere(), file);
  }

  private List<String> texts(SourceRecord record) {
    return fields.fields(record.value()).stream()
        .map(field -> new String(field, StandardCharsets.UTF_8))
        .toList();
  }

  /**
   * The values of empty fields, one for each of some columns: 0 of the narrowest type that fits the
   * first rows, or an empty string.
   */
  List<Object> defaults(List<String> names, List<Long> numbers) {
    List<ColumnType> types =
        new ArrayList<>(Collections.nCopies(numbers.size(), ColumnType.UNKNOWN));
    int rows = 0;
    for (String file : files) {
      try (RecordSource source = open(file, true)) {
        Optional<SourceRecord> record = source.next();
        for (; rows < options.inferenceRows() && record.isPresent(); record = source.next()) {
          rows++;
          widen(types, names, numbers, file, texts(record.get()));
        }
      }
    }
    return types.stream().map(ColumnType::emptyField).toList();
  }

  private void widen(
      List<ColumnType> types,
      List<String> names,
      List<Long> numbers,
      String file,
      List<String> row) {
    if (row.size() != names.size()) {
      throw TributaryException.invalidArgument(
          "a row of %s has %d fields, but there are %d columns, %s: %s",
          file, row.size(), names.size(), names, row);
    }
    for (int i = 0; i < types.size(); i++) {
      String text = row.get((int) (long) numbers.get(i));
      if (!text.isEmpty() && !text.equals(options.naValue())) {
        types.set(i, types.get(i).widenedTo(text));
      }
    }
  }

  /** The types of columns from the narrowest on. */
  private enum ColumnType {
    UNKNOWN(""),
    INT32(0),
    INT64(0L),
    FLOAT(0f),
    DOUBLE(0d),
    STRING("");

    private static final Pattern WHOLE = Pattern.compile("\\s*-?\\d+\\s*");
    private static final Pattern REAL =
        Pattern.compile("\\s*[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?\\s*");

    private final Object emptyField;

    ColumnType(Object emptyField) {
      this.emptyField = emptyField;
    }

    Object emptyField() {
      return emptyField;
    }

    /** The narrowest type that is as wide as this one and can hold a field. */
    ColumnType widenedTo(String field) {
      for (ColumnType type : values()) {
        if (type != UNKNOWN && type.compareTo(this) >= 0 && type.holds(field)) {
          return type;
        }
      }
      return STRING;
    }

    private boolean holds(String field) {
      return switch (this) {
        case INT32 -> isWhole(field) && new BigInteger(field.strip()).bitLength() < Integer.SIZE;
        case INT64 -> isWhole(field) && new BigInteger(field.strip()).bitLength() < Long.SIZE;
        case FLOAT -> isReal(field, Float.MAX_VALUE);
        case DOUBLE -> isReal(field, Double.MAX_VALUE);
        default -> true;
      };
    }

    private static boolean isWhole(String field) {
      return WHOLE.matcher(field).matches();
    }

    private static boolean isReal(String field, double most) {
      return REAL.matcher(field).matches() && Math.abs(Double.parseDouble(field)) <= most;
    }
  }
}
