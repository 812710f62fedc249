package dev.tributary.app.digits;

import dev.tributary.error.TributaryException;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** Reads images and labels in MNIST's IDX format: a magic number, big-endian sizes, then bytes. */
public final class IdxFiles {
  private static final int IMAGES = 0x803;
  private static final int LABELS = 0x801;
  private static final int CLASSES = 10;
  private static final int LARGEST = 100_000_000;

  private IdxFiles() {}

  static ImageSet read(Path folder, String imageFile, String labelFile) {
    byte[] labels = labels(found(folder, labelFile));
    Content images = images(found(folder, imageFile));
    if (images.sizes()[0] != labels.length) {
      throw TributaryException.invalidArgument(
          "%s has %d images but %s has %d labels",
          imageFile, images.sizes()[0], labelFile, labels.length);
    }
    float[] pixels = new float[images.bytes().length];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = (images.bytes()[i] & 0xff) / 255f;
    }
    int[] classes = new int[labels.length];
    for (int i = 0; i < classes.length; i++) {
      classes[i] = labels[i] & 0xff;
      if (classes[i] >= CLASSES) {
        throw TributaryException.invalidArgument(
            "label %d of %s is %d, not a digit", i, labelFile, classes[i]);
      }
    }
    return new ImageSet(images.sizes()[1], images.sizes()[2], pixels, classes);
  }

  /**
   * The content of a file.
   *
   * @param sizes of all dimensions
   */
  public record Content(int[] sizes, byte[] bytes) {}

  /** Images of a byte for each pixel, by number, row and column. */
  public static Content images(Path file) {
    return content(file, IMAGES, 3);
  }

  public static byte[] labels(Path file) {
    return content(file, LABELS, 1).bytes();
  }

  private static Path found(Path folder, String name) {
    Path plain = folder.resolve(name);
    Path zipped = folder.resolve(name + ".gz");
    Path file = Files.exists(plain) ? plain : zipped;
    if (!Files.exists(file)) {
      throw TributaryException.notFound(
          "neither %s nor %s.gz is in %s", name, name, folder.toAbsolutePath());
    }
    return file;
  }

  private static Content content(Path file, int magic, int rank) {
    boolean isZipped = file.getFileName().toString().endsWith(".gz");
    try (InputStream raw = Files.newInputStream(file);
        DataInputStream in =
            new DataInputStream(
                new BufferedInputStream(isZipped ? new GZIPInputStream(raw) : raw))) {
      int found = in.readInt();
      if (found != magic) {
        throw TributaryException.invalidArgument(
            "%s starts with %#x, wanted %#x: not an IDX file of this kind", file, found, magic);
      }
      int[] sizes = new int[rank];
      long count = 1;
      for (int i = 0; i < rank; i++) {
        sizes[i] = in.readInt();
        count *= sizes[i];
        if (sizes[i] < 0 || count > LARGEST) {
          throw TributaryException.invalidArgument(
              "%s claims a size of %d in dimension %d", file, sizes[i], i);
        }
      }
      byte[] bytes = new byte[(int) count];
      in.readFully(bytes);
      return new Content(sizes, bytes);
    } catch (EOFException e) {
      throw TributaryException.invalidArgument("%s ends too early", file);
    } catch (IOException e) {
      throw TributaryException.invalidArgument("%s cannot be read: %s", file, e.getMessage());
    }
  }
}
