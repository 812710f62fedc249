package dev.tributary.train.estimator;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * An old and a new vocabulary, by whose words the rows of a variable move in a {@link WarmStart}. A
 * new word without an old place, and hash buckets of unknown words, begin with zeros. Immutable.
 *
 * @param newVocabulary a file with a word in each line
 * @param newSize the number of its lines in use; all if empty
 * @param oldSize the number of the old file's lines in use; all if empty
 * @param unknownBuckets the number of rows behind those of the new words
 * @param axis 0 if words have rows, 1 if they have columns
 */
public record VocabularyChange(
    Path newVocabulary,
    Path oldVocabulary,
    OptionalInt newSize,
    OptionalInt oldSize,
    int unknownBuckets,
    int axis) {
  public VocabularyChange {
    if (axis != 0 && axis != 1) {
      throw TributaryException.invalidArgument(
          "words have rows (axis 0) or columns (axis 1), got axis %d", axis);
    }
  }

  /** Returns a change of two whole files, whose words have rows. */
  public static VocabularyChange of(Path oldVocabulary, Path newVocabulary) {
    return new VocabularyChange(
        newVocabulary, oldVocabulary, OptionalInt.empty(), OptionalInt.empty(), 0, 0);
  }

  public VocabularyChange withSizes(int newOldSize, int newNewSize) {
    return new VocabularyChange(
        newVocabulary,
        oldVocabulary,
        OptionalInt.of(newNewSize),
        OptionalInt.of(newOldSize),
        unknownBuckets,
        axis);
  }

  public VocabularyChange withUnknownBuckets(int buckets) {
    return new VocabularyChange(newVocabulary, oldVocabulary, newSize, oldSize, buckets, axis);
  }

  /** Returns a change of a variable whose columns belong to words. */
  public VocabularyChange withColumns() {
    return new VocabularyChange(newVocabulary, oldVocabulary, newSize, oldSize, unknownBuckets, 1);
  }

  /** Returns the old place of each new row, or -1 for none. */
  int[] oldPlaces() {
    Map<String, Integer> old = new HashMap<>();
    List<String> oldWords = words(oldVocabulary, oldSize);
    for (int i = 0; i < oldWords.size(); i++) {
      old.putIfAbsent(oldWords.get(i), i);
    }
    List<String> newWords = words(newVocabulary, newSize);
    int[] places = new int[newWords.size() + unknownBuckets];
    for (int i = 0; i < places.length; i++) {
      places[i] = i < newWords.size() ? old.getOrDefault(newWords.get(i), -1) : -1;
    }
    return places;
  }

  private static List<String> words(Path file, OptionalInt size) {
    try {
      List<String> all = Files.readAllLines(file);
      if (size.isPresent() && size.getAsInt() > all.size()) {
        throw TributaryException.invalidArgument(
            "vocabulary %s has %d words, wanted %d", file, all.size(), size.getAsInt());
      }
      return size.isPresent() ? all.subList(0, size.getAsInt()) : all;
    } catch (IOException e) {
      throw FileFailure.of("read the vocabulary", file, e);
    }
  }
}
