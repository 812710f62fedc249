package dev.tributary.app.census;

import dev.tributary.internal.file.FileFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * The people to learn from and the people to be judged by.
 *
 * <p>The embedded sample is 4,000 of 32,561 and 1,000 of 16,281 rows of "Adult" by B. Becker and R.
 * Kohavi (1996), from the UCI Machine Learning Repository (CC BY 4.0), an extract of the United
 * States census of 1994.
 */
record CensusData(String name, CensusRows training, CensusRows test) {
  private static final String TRAINING = "adult.data";
  private static final String TEST = "adult.test";

  static CensusData embedded() {
    return new CensusData("UCI Adult, a sample", embedded(TRAINING), embedded(TEST));
  }

  /** The files adult.data and adult.test of a folder. */
  static CensusData read(Path folder) {
    return new CensusData(folder.toString(), read(folder, TRAINING), read(folder, TEST));
  }

  private static CensusRows read(Path folder, String name) {
    Path file = folder.resolve(name);
    try {
      return CensusRows.parse(file.toString(), Files.readAllLines(file));
    } catch (IOException e) {
      throw FileFailure.of("read", file, e);
    }
  }

  private static CensusRows embedded(String name) {
    try (InputStream raw = CensusData.class.getResourceAsStream(name + ".gz");
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(new GZIPInputStream(raw), StandardCharsets.US_ASCII))) {
      List<String> all = lines.lines().toList();
      return CensusRows.parse("the embedded " + name, all);
    } catch (IOException e) {
      throw new UncheckedIOException("the embedded census cannot be read", e);
    }
  }
}
