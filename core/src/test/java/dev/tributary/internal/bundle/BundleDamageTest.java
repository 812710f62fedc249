package dev.tributary.internal.bundle;

import static dev.tributary.tensor.DataType.VARIANT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.tensor.OptionalTensors;
import dev.tributary.internal.wire.VariantMessages;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.proto.VariantTensorDataProto;

/** A checkpoint of which a bit is wrong or a byte is missing is found out when it is read. */
@NoLeaks
class BundleDamageTest {
  @TempDir private Path folder;
  private Path prefix;
  private Path data;
  private Path index;

  @BeforeEach
  void writeCheckpoint() {
    prefix = folder.resolve("model");
    data = BundleFiles.data(prefix, 0, 1);
    index = BundleFiles.index(prefix);
    try (BundleWriter writer =
            BundleWriter.create(FileRoot.anywhere(), prefix, VariantMessages.FORM, () -> {});
        Tensor numbers = Tensor.of(1f, 2f, 3f);
        Tensor strings = Tensor.of("one", "", "three");
        Tensor flags = Tensor.of(true, false);
        Tensor variants =
            Tensor.ofObjects(VARIANT, Shape.of(2), message(), OptionalTensors.none());
        Tensor part = Tensor.of(Shape.of(1, 2), 5, 6)) {
      writer.add("flags", flags);
      writer.add("numbers", numbers);
      writer.add("sliced", ShapeAndSlice.parse("1 3 0,1:0,2"), part);
      writer.add("strings", strings);
      writer.add("variants", variants);
      writer.finish();
    }
  }

  @Test
  void read_anyDataByteChanged_isDataLossOfTheTensor() throws IOException {
    byte[] whole = Files.readAllBytes(data);
    for (int i = 0; i < whole.length; i++) {
      Files.write(data, changed(whole, i));

      TributaryException failure = failure();

      assertThat(failure).as("byte %d", i).isNotNull();
      assertThat(failure.code()).isEqualTo(ErrorCode.DATA_LOSS);
      assertThat(failure).hasMessageContaining(data.toString()).hasMessageContaining(nameAt(i));
    }
  }

  @Test
  void read_anyIndexByteChanged_isDataLoss() throws IOException {
    byte[] whole = Files.readAllBytes(index);
    for (int i = 0; i < whole.length; i++) {
      boolean isPadding = i >= whole.length - 44 && i < whole.length - 8;
      if (!isPadding) {
        Files.write(index, changed(whole, i));

        TributaryException failure = failure();

        // Where the empty block of filters lies is of no use to a reader.
        boolean isFilters = failure == null && i >= whole.length - 120;
        if (!isFilters) {
          assertThat(failure).as("byte %d of %d", i, whole.length).isNotNull();
          assertThat(failure.code())
              .as("%s", failure)
              .isIn(ErrorCode.DATA_LOSS, ErrorCode.UNIMPLEMENTED);
          assertThat(failure).hasMessageContaining(folder.toString());
        }
      }
    }
  }

  @Test
  void read_indexCutAnywhere_isDataLoss() throws IOException {
    byte[] whole = Files.readAllBytes(index);
    for (int length = 0; length < whole.length; length++) {
      Files.write(index, Arrays.copyOf(whole, length));

      assertThat(failure().code()).as("length %d", length).isEqualTo(ErrorCode.DATA_LOSS);
    }
  }

  @Test
  void read_dataCutAnywhere_isDataLossOfTheTensor() throws IOException {
    byte[] whole = Files.readAllBytes(data);
    for (int length = 0; length < whole.length; length++) {
      Files.write(data, Arrays.copyOf(whole, length));

      TributaryException failure = failure();

      assertThat(failure.code()).as("length %d", length).isEqualTo(ErrorCode.DATA_LOSS);
      assertThat(failure).hasMessageContaining(data.toString()).hasMessageContaining("ends");
    }
  }

  @Test
  void read_dataMissing_isNotFound() throws IOException {
    Files.delete(data);

    TributaryException failure = failure();

    assertThat(failure.code()).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(failure).hasMessageContaining(data.toString());
  }

  /** The first failure of reading everything there is; null if there is none. */
  private TributaryException failure() {
    return catchThrowableOfType(
        TributaryException.class,
        () -> {
          try (BundleReader reader =
              BundleReader.open(FileRoot.anywhere(), prefix, VariantMessages.FORM)) {
            for (String name : reader.names()) {
              if (name.equals("sliced")) {
                reader.read(Allocator.shared(), name, TensorSlice.parse("0,1:0,2")).close();
              } else {
                reader.read(name).close();
              }
            }
          }
        });
  }

  private static byte[] changed(byte[] whole, int i) {
    byte[] changed = whole.clone();
    changed[i] ^= 0x04;
    return changed;
  }

  private static String nameAt(int i) {
    String behind = i < 22 ? "'sliced 0,1:0,2'" : i < 37 ? "'strings'" : "'variants'";
    return i < 2 ? "'flags'" : i < 14 ? "'numbers'" : behind;
  }

  /** A variant of a type that only others know. */
  private static byte[] message() {
    return VariantTensorDataProto.newBuilder().setTypeName("other").build().toByteArray();
  }
}
