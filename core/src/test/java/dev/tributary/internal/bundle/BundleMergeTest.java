package dev.tributary.internal.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NoLeaks
class BundleMergeTest {
  @TempDir private Path folder;

  @Test
  void run_twoParts_givesOneCheckpointAndRemovesThem() throws IOException {
    Path a = part("temp/part-00000-of-00002", "a", "", Tensor.of(1f, 2f));
    Path b = part("temp/part-00001-of-00002", "b", "", Tensor.of("x", "y"));
    Path whole = folder.resolve("model-7");

    BundleMerge.run(FileRoot.anywhere(), List.of(a, b), whole, true, false);

    try (BundleReader reader = BundleReader.open(whole);
        Tensor first = reader.read("a");
        Tensor second = reader.read("b")) {
      assertThat(reader.shardCount()).isEqualTo(2);
      assertThat(first.toFloats()).containsExactly(1, 2);
      assertThat(second.toStrings()).containsExactly("x", "y");
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "model-7.index", "model-7.data-00000-of-00002", "model-7.data-00001-of-00002");
    }
  }

  @Test
  void run_slicesOfOneTensor_joinsThem() {
    Path a = part("a", "w", "3 0,2", Tensor.of(1f, 2f));
    Path b = part("b", "w", "3 2,1", Tensor.of(3f));
    Path whole = folder.resolve("model");

    BundleMerge.run(FileRoot.anywhere(), List.of(a, b), whole, true, false);

    try (BundleReader reader = BundleReader.open(whole);
        Tensor w = reader.read("w")) {
      assertThat(w.toFloats()).containsExactly(1, 2, 3);
    }
  }

  @Test
  void run_sameTensorTwice_isRefusedAndKeepsTheParts() {
    Path a = part("a", "w", "", Tensor.scalar(1f));
    Path b = part("b", "w", "", Tensor.scalar(2f));

    assertThatThrownBy(
            () ->
                BundleMerge.run(
                    FileRoot.anywhere(), List.of(a, b), folder.resolve("model"), true, false))
        .hasMessageContaining("'w'");
    assertThat(BundleFiles.index(a)).exists();
    assertThat(BundleFiles.data(b, 0, 1)).exists();
  }

  @Test
  void run_missingPart_isNotFoundUnlessAllowed() {
    Path a = part("a", "w", "", Tensor.scalar(1f));
    Path missing = folder.resolve("missing");
    Path whole = folder.resolve("model");

    TributaryException failure =
        catchThrowableOfType(
            TributaryException.class,
            () -> BundleMerge.run(FileRoot.anywhere(), List.of(a, missing), whole, true, false));
    assertThat(failure.code()).isEqualTo(ErrorCode.NOT_FOUND);

    BundleMerge.run(FileRoot.anywhere(), List.of(a, missing), whole, true, true);
    try (BundleReader reader = BundleReader.open(whole)) {
      assertThat(reader.names()).containsExactly("w");
    }
  }

  private Path part(String prefix, String name, String slice, Tensor tensor) {
    Path path = folder.resolve(prefix);
    try (tensor;
        BundleWriter writer = BundleWriter.create(path)) {
      if (slice.isEmpty()) {
        writer.add(name, tensor);
      } else {
        writer.add(name, ShapeAndSlice.parse(slice), tensor);
      }
      writer.finish();
    }
    return path;
  }
}
