package dev.tributary.internal.kernel.io;

import dev.tributary.error.TributaryException;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Splits lines of CSV into fields, as TensorFlow does: a field may stand in quotes, and then holds
 * delimiters, line ends and doubled quotes; line ends between fields are skipped. Immutable.
 *
 * @param columns the fields to keep, ascending; all if there are none
 */
public record CsvLine(byte delimiter, boolean hasQuotes, int[] columns) {
  private static final byte QUOTE = '"';

  /** The fields that are kept. */
  public List<byte[]> fields(byte[] line) {
    List<byte[]> kept = new ArrayList<>();
    int column = 0;
    int at = 0;
    while (at < line.length) {
      if (line[at] == '\n' || line[at] == '\r') {
        at++;
        continue;
      }
      ByteArrayOutputStream field = new ByteArrayOutputStream();
      at = hasQuotes && line[at] == QUOTE ? quoted(line, at + 1, field) : plain(line, at, field);
      if (isKept(column++, kept.size())) {
        kept.add(field.toByteArray());
        if (kept.size() == columns.length) {
          return kept;
        }
      }
    }
    boolean endsInEmptyField = line.length == 0 || line[line.length - 1] == delimiter;
    if (endsInEmptyField && isKept(column, kept.size())) {
      kept.add(new byte[0]);
    }
    return kept;
  }

  private boolean isKept(int column, int keptBefore) {
    return columns.length == 0 || columns[keptBefore] == column;
  }

  /** Reads a field without quotes; gives where the next one begins. */
  private int plain(byte[] line, int start, ByteArrayOutputStream field) {
    int at = start;
    for (; at < line.length && line[at] != delimiter; at++) {
      if (hasQuotes && line[at] == QUOTE || line[at] == '\n' || line[at] == '\r') {
        throw TributaryException.invalidArgument("Unquoted fields cannot have quotes/CRLFs inside");
      }
      field.write(line[at]);
    }
    return at + 1;
  }

  /** Reads a field behind its opening quote; gives where the next one begins. */
  private int quoted(byte[] line, int start, ByteArrayOutputStream field) {
    int at = start;
    while (at < line.length - 1 && !(line[at] == QUOTE && line[at + 1] == delimiter)) {
      if (line[at] == QUOTE) {
        if (line[at + 1] != QUOTE) {
          throw TributaryException.invalidArgument(
              "Quote inside a string has to be escaped by another quote");
        }
        at++;
      }
      field.write(line[at++]);
    }
    boolean ends =
        at < line.length
            && line[at] == QUOTE
            && (at == line.length - 1 || line[at + 1] == delimiter);
    if (!ends) {
      throw TributaryException.invalidArgument(
          "Quoted field has to end with quote followed by delim or end");
    }
    return at + 2;
  }
}
