package dev.tributary.internal.kernel.lookup;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The entries of a table in the lines of a text file: a key or a value is a column, the whole line
 * or the number of the line. Immutable.
 *
 * @param lineCount how many lines to read; all if negative
 * @param firstLine the number of the first line
 */
record VocabularyFile(
    int keyIndex, int valueIndex, long lineCount, byte delimiter, long firstLine) {
  private static final int LINE_NUMBER = -1;
  private static final int WHOLE_LINE = -2;

  static VocabularyFile of(Attributes attributes) {
    byte[] delimiter = attributes.string("delimiter").getBytes(StandardCharsets.UTF_8);
    if (delimiter.length != 1) {
      throw TributaryException.invalidArgument(
          "delimiter should be only 1 char, got '%s'", attributes.string("delimiter"));
    }
    return new VocabularyFile(
        attributes.int32("key_index"),
        attributes.int32("value_index"),
        attributes.integer("vocab_size"),
        delimiter[0],
        attributes.integer("offset"));
  }

  /** All entries of a file, as a table of these types holds them. */
  List<HashTable.Entry> read(
      FileRoot files, String filename, DataType keyType, DataType valueType) {
    requireType("key", keyIndex, keyType);
    requireType("value", valueIndex, valueType);
    List<HashTable.Entry> entries = new ArrayList<>();
    for (byte[] line : lines(content(files, filename))) {
      if (entries.size() == lineCount) {
        break;
      }
      List<byte[]> columns = split(line, delimiter);
      if (columns.size() <= Math.max(keyIndex, valueIndex)) {
        throw TributaryException.invalidArgument(
            "Invalid number of columns in %s line %d: expected at least %d, got %d",
            filename, entries.size(), Math.max(keyIndex, valueIndex) + 1, columns.size());
      }
      long number = entries.size() + firstLine;
      try {
        entries.add(
            new HashTable.Entry(
                part(keyIndex, keyType, line, columns, number),
                part(valueIndex, valueType, line, columns, number)));
      } catch (TributaryException e) {
        throw e.at(filename + " line " + entries.size());
      }
    }
    if (lineCount >= 0 && entries.size() < lineCount) {
      throw TributaryException.invalidArgument(
          "Invalid vocab_size in %s: expected %d but got %d", filename, lineCount, entries.size());
    }
    return entries;
  }

  private static Object part(
      int index, DataType type, byte[] line, List<byte[]> columns, long number) {
    if (index == LINE_NUMBER) {
      return number;
    }
    return Elements.parse(type, index == WHOLE_LINE ? line : columns.get(index));
  }

  private static void requireType(String role, int index, DataType type) {
    boolean fits =
        index == LINE_NUMBER
            ? type == DataType.INT64
            : index != WHOLE_LINE || type == DataType.STRING || type.isInteger();
    if (!fits) {
      throw TributaryException.invalidArgument(
          "%s index %d (%s) requires a table %s of type %s, got %s",
          role,
          index,
          index == LINE_NUMBER ? "line number" : "whole line",
          role,
          index == LINE_NUMBER ? "int64" : "string",
          type.lowerName());
    }
  }

  private static byte[] content(FileRoot files, String filename) {
    Path path = files.resolve(filename);
    try {
      return files.read(path);
    } catch (IOException e) {
      throw FileFailure.of("read the vocabulary", path, e);
    }
  }

  /** The lines without their ends; carriage returns are left out. */
  private static List<byte[]> lines(byte[] content) {
    List<byte[]> lines = split(content, (byte) '\n');
    if (lines.get(lines.size() - 1).length == 0) {
      lines.remove(lines.size() - 1);
    }
    lines.replaceAll(VocabularyFile::withoutCarriageReturns);
    return lines;
  }

  private static byte[] withoutCarriageReturns(byte[] line) {
    ByteArrayOutputStream kept = new ByteArrayOutputStream(line.length);
    for (byte b : line) {
      if (b != '\r') {
        kept.write(b);
      }
    }
    return kept.toByteArray();
  }

  private static List<byte[]> split(byte[] bytes, byte separator) {
    List<byte[]> parts = new ArrayList<>();
    int start = 0;
    for (int i = 0; i <= bytes.length; i++) {
      if (i == bytes.length || bytes[i] == separator) {
        parts.add(Arrays.copyOfRange(bytes, start, i));
        start = i + 1;
      }
    }
    return parts;
  }
}
