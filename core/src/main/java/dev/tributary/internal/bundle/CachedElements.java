package dev.tributary.internal.bundle;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * The elements of a dataset in the files of a checkpoint, as TensorFlow's {@code CacheDatasetV2}
 * names them: a tensor for each component of each element. A lock file keeps two passes from
 * writing the same files.
 */
public final class CachedElements {
  /** The numbers of ten million elements, at most. */
  private static final int INDEX_WIDTH = 7;

  private CachedElements() {}

  private static String name(long element, int component, int width) {
    int componentWidth = Integer.toString(width - 1).length();
    return String.format(
        Locale.ROOT, "%" + INDEX_WIDTH + "d_%" + componentWidth + "d", element, component);
  }

  /** The elements that were written completely, if they were. */
  public static Optional<Reader> open(FileRoot files, String name, int width) {
    Path prefix = files.resolve(name);
    return Files.exists(BundleFiles.index(prefix))
        ? Optional.of(new Reader(BundleReader.open(files, prefix), width))
        : Optional.empty();
  }

  /** Begins to write. Fails with ALREADY_EXISTS if somebody else does. */
  public static Writer begin(FileRoot files, String name, int width) {
    Path prefix = files.resolve(name);
    Path lock = files.resolve(name + "_0.lockfile");
    try {
      if (Files.exists(lock)) {
        throw new TributaryException(
            ErrorCode.ALREADY_EXISTS,
            "There appears to be a concurrent caching iterator running - cache lockfile already"
                + " exists ('"
                + lock
                + "'). If you are sure no other running pipeline uses this cache, delete the"
                + " lockfile and go on.");
      }
      String content = "Created at: " + System.currentTimeMillis() / 1000;
      files.write(lock, content.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw FileFailure.of("write", lock, e);
    }
    return new Writer(BundleWriter.create(files, prefix, () -> {}), lock, width);
  }

  /** Reads elements in their order. Confined to one thread at a time. */
  public static final class Reader implements AutoCloseable {
    private final BundleReader bundle;
    private final int width;
    private long next;

    private Reader(BundleReader bundle, int width) {
      this.bundle = bundle;
      this.width = width;
    }

    public void skip(long elements) {
      next += elements;
    }

    /** The components of the next element, for the caller to close, or nothing at the end. */
    public Optional<Tensor[]> next(Allocator allocator) {
      if (bundle.find(name(next, 0, width)).isEmpty()) {
        return Optional.empty();
      }
      Tensor[] element = new Tensor[width];
      try {
        for (int i = 0; i < width; i++) {
          element[i] = bundle.read(allocator, name(next, i, width));
        }
      } catch (RuntimeException e) {
        for (Tensor component : element) {
          if (component != null) {
            component.close();
          }
        }
        throw e;
      }
      next++;
      return Optional.of(element);
    }

    @Override
    public void close() {
      bundle.close();
    }
  }

  /**
   * Writes elements; files that were not finished are deleted. Confined to one thread at a time.
   */
  public static final class Writer implements AutoCloseable {
    private final BundleWriter bundle;
    private final Path lock;
    private final int width;
    private long next;

    private Writer(BundleWriter bundle, Path lock, int width) {
      this.bundle = bundle;
      this.lock = lock;
      this.width = width;
    }

    /** The components stay the caller's. */
    public void add(Tensor[] element) {
      if (element.length != width) {
        throw TributaryException.invalidArgument(
            "an element of %d components cannot be cached: the dataset has %d",
            element.length, width);
      }
      for (int i = 0; i < width; i++) {
        bundle.add(name(next, i, width), element[i]);
      }
      next++;
    }

    public void finish() {
      bundle.finish();
      close();
    }

    @Override
    public void close() {
      bundle.close();
      try {
        Files.deleteIfExists(lock);
      } catch (IOException e) {
        throw FileFailure.of("delete", lock, e);
      }
    }
  }
}
