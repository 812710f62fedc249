package dev.tributary.app.records;

import com.google.protobuf.ByteString;
import dev.tributary.app.digits.IdxFiles;
import dev.tributary.error.TributaryException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.tensorflow.proto.Example;

/** Images and labels in MNIST's format, as features of TensorFlow's names for them. */
record IdxImages(IdxFiles.Content images, Optional<byte[]> labels) implements ExampleSource {
  /**
   * @param labelFile found beside the images by MNIST's names if it is not given
   */
  static IdxImages of(Path imageFile, Optional<Path> labelFile) {
    IdxFiles.Content images = IdxFiles.images(imageFile);
    Optional<byte[]> labels =
        labelFile.or(() -> beside(imageFile)).map(file -> IdxFiles.labels(file));
    if (labels.isPresent() && labels.get().length != images.sizes()[0]) {
      throw TributaryException.invalidArgument(
          "%s has %d images but there are %d labels: give the file that belongs to it with"
              + " --labels",
          imageFile, images.sizes()[0], labels.get().length);
    }
    return new IdxImages(images, labels);
  }

  private static Optional<Path> beside(Path imageFile) {
    String name =
        imageFile.getFileName().toString().replace("images", "labels").replace("idx3", "idx1");
    Path file = imageFile.resolveSibling(name);
    return Optional.of(file).filter(found -> Files.exists(found) && !found.equals(imageFile));
  }

  @Override
  public long count() {
    return images.sizes()[0];
  }

  @Override
  public void read(int shard, int shards, Consumer<Example> to) {
    int height = images.sizes()[1];
    int width = images.sizes()[2];
    int area = height * width;
    for (int i = shard; i < images.sizes()[0]; i += shards) {
      Features features =
          new Features()
              .bytes("image_raw", ByteString.copyFrom(images.bytes(), i * area, area))
              .integer("height", height)
              .integer("width", width)
              .integer("depth", 1);
      if (labels.isPresent()) {
        features.integer("label", labels.get()[i] & 0xff);
      }
      to.accept(features.build());
    }
  }
}
