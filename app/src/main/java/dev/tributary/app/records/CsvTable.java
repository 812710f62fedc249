package dev.tributary.app.records;

import com.google.protobuf.ByteString;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.kernel.io.CsvLine;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.tensorflow.proto.Example;

/**
 * The rows of a CSV file. A column whose fields are all integers becomes an int64 feature, one of
 * numbers a float feature, any other one bytes; an empty field is a missing feature. A first pass
 * over the whole file finds out and checks that all rows are equally long. A row is a line: fields
 * in quotes may hold delimiters, but no line breaks.
 */
final class CsvTable implements ExampleSource {
  /** The kinds of fields that a column can have, from the narrowest. */
  private enum Kind {
    INTEGER,
    NUMBER,
    TEXT;

    Kind with(String field) {
      Kind kind = this;
      if (kind == INTEGER && !isInteger(field)) {
        kind = NUMBER;
      }
      return kind == NUMBER && !isNumber(field) ? TEXT : kind;
    }

    private static boolean isInteger(String field) {
      try {
        Long.parseLong(field);
        return true;
      } catch (NumberFormatException e) {
        return false;
      }
    }

    private static boolean isNumber(String field) {
      try {
        Float.parseFloat(field);
        return true;
      } catch (NumberFormatException e) {
        return false;
      }
    }
  }

  /** Receives a row and its number. */
  @FunctionalInterface
  private interface RowReceiver {
    void row(long number, List<byte[]> fields);
  }

  private final Path path;
  private final CsvLine splitter;
  private final boolean hasHeader;
  private List<String> names = List.of();
  private Kind[] kinds = {};
  private long count;

  private CsvTable(Path path, char delimiter, boolean hasHeader) {
    this.path = path;
    this.splitter = new CsvLine((byte) delimiter, true, new int[0]);
    this.hasHeader = hasHeader;
  }

  static CsvTable of(Path path, char delimiter, boolean hasHeader) {
    CsvTable table = new CsvTable(path, delimiter, hasHeader);
    table.eachRow(row -> true, table::learn);
    if (table.count == 0) {
      throw TributaryException.invalidArgument("%s has no rows", path);
    }
    return table;
  }

  private void learn(long number, List<byte[]> fields) {
    if (kinds.length == 0) {
      kinds = new Kind[fields.size()];
      Arrays.fill(kinds, Kind.INTEGER);
      if (names.isEmpty()) {
        names = numbered(fields.size());
      }
    }
    if (fields.size() != names.size()) {
      throw TributaryException.invalidArgument(
          "%s: row %d has %d fields, wanted %d: %s",
          path, number + 1, fields.size(), names.size(), names);
    }
    for (int i = 0; i < kinds.length; i++) {
      String field = text(fields.get(i));
      kinds[i] = field.isEmpty() ? kinds[i] : kinds[i].with(field);
    }
    count++;
  }

  private static List<String> numbered(int columns) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      names.add("column" + i);
    }
    return names;
  }

  private void header(List<byte[]> fields) {
    List<String> header = fields.stream().map(field -> text(field).strip()).toList();
    if (new HashSet<>(header).size() < header.size()) {
      throw TributaryException.invalidArgument(
          "%s: two columns have one name, %s: give each its own", path, header);
    }
    names = header;
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public void read(int shard, int shards, Consumer<Example> to) {
    eachRow(row -> row % shards == shard, (number, fields) -> to.accept(example(fields)));
  }

  private Example example(List<byte[]> fields) {
    Features features = new Features();
    for (int i = 0; i < kinds.length; i++) {
      String field = text(fields.get(i));
      if (field.isEmpty()) {
        continue;
      }
      switch (kinds[i]) {
        case INTEGER -> features.integer(names.get(i), Long.parseLong(field));
        case NUMBER -> features.number(names.get(i), Float.parseFloat(field));
        case TEXT -> features.bytes(names.get(i), ByteString.copyFrom(fields.get(i)));
      }
    }
    return features.build();
  }

  /** Passes on the rows with these numbers; others are not taken apart. Blank lines are no rows. */
  private void eachRow(LongPredicate wanted, RowReceiver receiver) {
    long number = 0;
    boolean isHeader = hasHeader;
    try (BufferedReader reader = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.isBlank()) {
          continue;
        }
        if (!isHeader) {
          if (wanted.test(number)) {
            receiver.row(number, fields(line, number));
          }
          number++;
        } else if (names.isEmpty()) {
          header(fields(line, number));
        }
        isHeader = false;
      }
    } catch (IOException e) {
      throw FileFailure.of("read", path, e);
    }
  }

  private List<byte[]> fields(String line, long number) {
    try {
      return splitter.fields(line.getBytes(StandardCharsets.UTF_8));
    } catch (TributaryException e) {
      throw e.at(path + ": row " + (number + 1));
    }
  }

  private static String text(byte[] field) {
    return new String(field, StandardCharsets.UTF_8);
  }
}
