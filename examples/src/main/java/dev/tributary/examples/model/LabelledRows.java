package dev.tributary.examples.model;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;

/**
 * Rows of numbers, each with the number of its class: the data sets beside these programs.
 *
 * @param features one row for each example
 * @param labels the class of each example
 */
record LabelledRows(float[][] features, int[] labels) {
  /** Reads 150 iris flowers of three kinds: four lengths in centimetres each. */
  static LabelledRows iris() {
    return read("iris.csv", 1, 1);
  }

  /** Reads 1797 written digits of 8 x 8 pixels, scaled to 0..1. */
  static LabelledRows digits() {
    return read("digits.csv.gz", 0, 16);
  }

  /** Returns the rows whose number divided by {@code n} leaves a remainder, or those without. */
  LabelledRows everyNth(int n, boolean without) {
    int[] rows =
        IntStream.range(0, labels.length).filter(row -> (row % n == 0) != without).toArray();
    return new LabelledRows(
        Arrays.stream(rows).mapToObj(row -> features[row]).toArray(float[][]::new),
        Arrays.stream(rows).map(row -> labels[row]).toArray());
  }

  private static LabelledRows read(String resource, int headerLines, float scale) {
    try (InputStream file = LabelledRows.class.getResourceAsStream(resource);
        InputStream plain = resource.endsWith(".gz") ? new GZIPInputStream(file) : file;
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(plain, StandardCharsets.US_ASCII))) {
      List<String[]> lines = reader.lines().skip(headerLines).map(line -> line.split(",")).toList();
      float[][] features = new float[lines.size()][];
      int[] labels = new int[lines.size()];
      for (int row = 0; row < labels.length; row++) {
        String[] fields = lines.get(row);
        features[row] = new float[fields.length - 1];
        for (int i = 0; i < features[row].length; i++) {
          features[row][i] = Float.parseFloat(fields[i]) / scale;
        }
        labels[row] = Integer.parseInt(fields[fields.length - 1]);
      }
      return new LabelledRows(features, labels);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
