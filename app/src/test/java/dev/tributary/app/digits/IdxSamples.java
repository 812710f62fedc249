package dev.tributary.app.digits;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/** Small files in MNIST's format, with 20 x 20 images of stripes. */
final class IdxSamples {
  private static final int SIDE = 20;

  private IdxSamples() {}

  static void write(Path folder, String prefix, int count, boolean gzipped) throws IOException {
    try (DataOutputStream images = open(folder, prefix + "-images-idx3-ubyte", gzipped);
        DataOutputStream labels = open(folder, prefix + "-labels-idx1-ubyte", gzipped)) {
      images.writeInt(0x803);
      images.writeInt(count);
      images.writeInt(SIDE);
      images.writeInt(SIDE);
      labels.writeInt(0x801);
      labels.writeInt(count);
      for (int i = 0; i < count; i++) {
        int digit = i % 10;
        labels.writeByte(digit);
        for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
          images.writeByte(pixel % 10 == digit ? 255 : 0);
        }
      }
    }
  }

  private static DataOutputStream open(Path folder, String name, boolean gzipped)
      throws IOException {
    OutputStream raw = Files.newOutputStream(folder.resolve(gzipped ? name + ".gz" : name));
    return new DataOutputStream(gzipped ? new GZIPOutputStream(raw) : raw);
  }
}
