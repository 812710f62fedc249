package dev.tributary.examples.model;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;

/**
 * A text as numbers of its characters.
 *
 * @param alphabet the characters that occur in the text, each at the place of its number
 * @param numbers the text
 */
record CharacterText(String alphabet, int[] numbers) {
  /** Reads the first scenes of Coriolanus, about 48,000 characters. */
  static CharacterText shakespeare() {
    try (InputStream file = CharacterText.class.getResourceAsStream("shakespeare.txt")) {
      String text = new String(file.readAllBytes(), StandardCharsets.US_ASCII);
      StringBuilder alphabet = new StringBuilder();
      text.chars().distinct().sorted().forEach(alphabet::appendCodePoint);
      return new CharacterText(alphabet.toString(), numbers(alphabet.toString(), text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the numbers of the characters of another text. */
  int[] numbers(String text) {
    return numbers(alphabet, text);
  }

  /** Returns passages from random places. */
  int[][] passages(Random random, int count, int length) {
    return Stream.generate(() -> random.nextInt(numbers.length - length + 1))
        .limit(count)
        .map(from -> Arrays.copyOfRange(numbers, from, from + length))
        .toArray(int[][]::new);
  }

  private static int[] numbers(String alphabet, String text) {
    return text.chars().map(alphabet::indexOf).toArray();
  }
}
