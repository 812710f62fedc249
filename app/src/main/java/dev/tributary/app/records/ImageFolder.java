package dev.tributary.app.records;

import com.google.protobuf.ByteString;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.image.BmpImages;
import dev.tributary.internal.image.GifImages;
import dev.tributary.internal.image.ImageKind;
import dev.tributary.internal.image.JpegImages;
import dev.tributary.internal.image.Pixels;
import dev.tributary.internal.image.PngImages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.tensorflow.proto.Example;

/**
 * Image files in one folder for each class. The features have the names that TensorFlow's models
 * use; classes are numbered in the order of their names. Each image is decoded once, so that a
 * damaged one is found now and not in a training.
 */
record ImageFolder(List<String> classes, List<Entry> images) implements ExampleSource {
  /** An image file and the number of its class. */
  record Entry(Path file, int label) {}

  static ImageFolder of(Path folder) {
    List<String> classes = new ArrayList<>();
    List<Entry> images = new ArrayList<>();
    for (Path classFolder : sorted(folder).filter(Files::isDirectory).toList()) {
      int label = classes.size();
      classes.add(classFolder.getFileName().toString());
      sorted(classFolder)
          .filter(Files::isRegularFile)
          .forEach(file -> images.add(new Entry(file, label)));
    }
    if (images.isEmpty()) {
      throw TributaryException.invalidArgument(
          "%s has no folders with images: put those of each class into a folder with its name",
          folder);
    }
    return new ImageFolder(List.copyOf(classes), List.copyOf(images));
  }

  /** Without hidden files. */
  private static Stream<Path> sorted(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .filter(entry -> !entry.getFileName().toString().startsWith("."))
          .sorted()
          .toList()
          .stream();
    } catch (IOException e) {
      throw FileFailure.of("list", folder, e);
    }
  }

  @Override
  public long count() {
    return images.size();
  }

  @Override
  public void read(int shard, int shards, Consumer<Example> to) {
    for (int i = shard; i < images.size(); i += shards) {
      to.accept(example(images.get(i)));
    }
  }

  private Example example(Entry image) {
    try {
      byte[] content = Files.readAllBytes(image.file());
      ImageKind kind = ImageKind.of(content);
      Pixels pixels = pixels(kind, content);
      return new Features()
          .bytes("image/encoded", ByteString.copyFrom(content))
          .text("image/format", kind.name().toLowerCase(Locale.ROOT))
          .integer("image/height", pixels.height())
          .integer("image/width", pixels.width())
          .integer("image/channels", pixels.channels())
          .integer("image/class/label", image.label())
          .text("image/class/text", classes.get(image.label()))
          .text("image/filename", image.file().getFileName().toString())
          .build();
    } catch (IOException e) {
      throw FileFailure.of("read", image.file(), e);
    } catch (TributaryException e) {
      throw e.at(image.file().toString());
    }
  }

  private static Pixels pixels(ImageKind kind, byte[] content) {
    return switch (kind) {
      case JPEG -> JpegImages.decode(content, 0, false);
      case PNG -> PngImages.decode(content, 0);
      case GIF -> GifImages.decode(content, false).pixels();
      case BMP -> BmpImages.decode(content, 0);
    };
  }
}
