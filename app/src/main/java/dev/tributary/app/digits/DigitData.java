package dev.tributary.app.digits;

import dev.tributary.error.TributaryException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;

/**
 * The images to learn from and the images to be judged by.
 *
 * <p>The embedded set is the test part of "Optical Recognition of Handwritten Digits" by E.
 * Alpaydin and C. Kaynak, from the UCI Machine Learning Repository (CC BY 4.0): 1,797 images of 8 x
 * 8 pixels, 64 values from 0 to 16 and the digit in a line.
 */
record DigitData(String name, ImageSet training, ImageSet test) {
  private static final String EMBEDDED = "/dev/tributary/app/digits/digits.csv.gz";
  private static final int EMBEDDED_SIDE = 8;
  private static final float EMBEDDED_WHITE = 16;

  /** The embedded set; a fifth of it, drawn by a fixed seed, is kept for the test. */
  static DigitData embedded() {
    List<String> lines = new ArrayList<>();
    try (InputStream raw = DigitData.class.getResourceAsStream(EMBEDDED);
        BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(new GZIPInputStream(raw), StandardCharsets.US_ASCII))) {
      reader.lines().filter(line -> !line.isBlank()).forEach(lines::add);
    } catch (IOException e) {
      throw new UncheckedIOException("the embedded digits cannot be read", e);
    }
    // The file is ordered by writer; a plain cut would test on people that were never seen.
    Collections.shuffle(lines, new Random(1));
    ImageSet all = parse(lines);
    int cut = all.size() * 4 / 5;
    return new DigitData("UCI digits, 8 x 8", all.slice(0, cut), all.slice(cut, all.size()));
  }

  /** The four MNIST files in a folder, as they are or gzipped. */
  static DigitData mnist(Path folder) {
    ImageSet training = IdxFiles.read(folder, "train-images-idx3-ubyte", "train-labels-idx1-ubyte");
    ImageSet test = IdxFiles.read(folder, "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte");
    if (training.height() != test.height() || training.width() != test.width()) {
      throw TributaryException.invalidArgument(
          "training images are %d x %d, test images %d x %d",
          training.height(), training.width(), test.height(), test.width());
    }
    return new DigitData(folder.toString(), training, test);
  }

  private static ImageSet parse(List<String> lines) {
    int area = EMBEDDED_SIDE * EMBEDDED_SIDE;
    float[] pixels = new float[lines.size() * area];
    int[] labels = new int[lines.size()];
    for (int i = 0; i < labels.length; i++) {
      String[] fields = lines.get(i).split(",");
      for (int j = 0; j < area; j++) {
        pixels[i * area + j] = Integer.parseInt(fields[j]) / EMBEDDED_WHITE;
      }
      labels[i] = Integer.parseInt(fields[area]);
    }
    return new ImageSet(EMBEDDED_SIDE, EMBEDDED_SIDE, pixels, labels);
  }
}
