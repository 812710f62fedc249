package dev.tributary.ops;

/**
 * The parts of a text file's lines that are the keys and values of a table. Immutable.
 *
 * @param key a column, counted from 0, or {@link #WHOLE_LINE} or {@link #LINE_NUMBER}
 * @param value the same for the value
 * @param vocabularySize the number of lines to read; -1 for all
 */
public record TextFileColumns(int key, int value, long vocabularySize, String delimiter) {
  /** The whole line, as a string. */
  public static final int WHOLE_LINE = -2;

  /** The number of the line, as an int64, from 0 on. */
  public static final int LINE_NUMBER = -1;

  /** Columns that tabs divide. */
  public static TextFileColumns of(int key, int value) {
    return new TextFileColumns(key, value, -1, "\t");
  }
}
