package dev.tributary.internal.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.optable.Draw;
import dev.tributary.optable.TensorCompare;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@NoLeaks
class BundleTest {
  @TempDir private Path folder;
  private Path prefix;

  @BeforeEach
  void choosePrefix() {
    prefix = folder.resolve("model.ckpt-1");
  }

  @Test
  void read_largeTensorsAmongSmallOnes_givesBack() {
    Map<String, Tensor> tensors = new TreeMap<>();
    for (int i = 0; i < 6; i++) {
      // Every second one is large; none ends where a block of the disk does.
      float[] values = new float[i % 2 == 0 ? 3 : 300_001];
      Arrays.fill(values, i + 0.5f);
      values[values.length - 1] = -i;
      tensors.put("v" + i, Tensor.of(values));
    }
    Map<String, float[]> wanted = new TreeMap<>();
    tensors.forEach((name, tensor) -> wanted.put(name, tensor.toFloats()));

    write(tensors);

    try (BundleReader reader = BundleReader.open(prefix)) {
      wanted.forEach(
          (name, values) -> {
            try (Tensor read = reader.read(name)) {
              assertThat(read.toFloats()).isEqualTo(values);
            }
          });
    }
  }

  @Test
  void finish_oneScalar_givesTensorFlowsBytes() throws IOException {
    write(Map.of("v", Tensor.scalar(1f)));

    assertThat(hex(BundleFiles.data(prefix, 0, 1))).isEqualTo("0000803f");
    assertThat(hex(BundleFiles.index(prefix)))
        .isEqualTo(
            "000006"
                + "08011a020801"
                + "00010b"
                + "76"
                + "0801"
                + "1200"
                + "2804"
                + "3581a5da2b"
                + "00000000"
                + "01000000"
                + "00"
                + "95ced3f3"
                + "00000000"
                + "01000000"
                + "00"
                + "c0f2a1b0"
                + "000102"
                + "77"
                + "0020"
                + "00000000"
                + "01000000"
                + "00"
                + "3e1ea462"
                + "2508"
                + "320e"
                + "00".repeat(36)
                + "57fb808b247547db");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).hasSize(2);
    }
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "FLOAT",
        "DOUBLE",
        "INT32",
        "UINT8",
        "INT16",
        "INT8",
        "STRING",
        "INT64",
        "BOOL",
        "BFLOAT16",
        "HALF"
      })
  void read_tensorOfEachType_givesTheSame(DataType type) {
    Draw draw = new Draw(5, type, Draw.Size.ORDINARY);
    for (Shape shape : List.of(Shape.of(3, 4), Shape.scalar(), Shape.of(2, 0))) {
      try (Tensor tensor = draw.tensor(shape)) {
        write(Map.of("x", tensor.retain()));
        try (BundleReader reader = BundleReader.open(prefix);
            Tensor read = reader.read("x")) {
          TensorCompare.requireEqual("read", List.of(read), List.of(tensor), t -> 0);
        }
      }
    }
  }

  @Test
  void read_manyTensors_givesEach() {
    Map<String, Tensor> tensors = new TreeMap<>();
    for (int i = 0; i < 5000; i++) {
      tensors.put(
          "layer" + i + "/kernel/with/a/long/name/so/that/blocks/fill/up", Tensor.scalar(i));
    }
    tensors.put("caf\u00e9", Tensor.of("", "x".repeat(300_000)));
    write(tensors);

    try (BundleReader reader = BundleReader.open(prefix)) {
      assertThat(reader.names()).containsExactlyInAnyOrderElementsOf(tensors.keySet());
      try (Tensor some = reader.read("layer4711/kernel/with/a/long/name/so/that/blocks/fill/up");
          Tensor strings = reader.read("caf\u00e9")) {
        assertThat(some.intValue()).isEqualTo(4711);
        assertThat(strings.getString(1)).hasSize(300_000);
      }
    }
  }

  @Test
  void read_slices_givesWholeAndAnyPart() {
    try (Tensor top = Tensor.of(Shape.of(2, 3), 0f, 1f, 2f, 3f, 4f, 5f);
        Tensor bottom = Tensor.of(Shape.of(1, 3), 6f, 7f, 8f);
        BundleWriter writer = BundleWriter.create(prefix)) {
      writer.add("w", ShapeAndSlice.parse("3 3 0,2:-"), top);
      writer.add("w", ShapeAndSlice.parse("3 3 2,1:-"), bottom);
      writer.finish();
    }

    try (BundleReader reader = BundleReader.open(prefix);
        Tensor whole = reader.read("w");
        Tensor stored = read(reader, "2,1:-");
        Tensor across = read(reader, "1,2:1,2")) {
      assertThat(reader.names()).containsExactly("w");
      assertThat(reader.entry("w").shape()).isEqualTo(Shape.of(3, 3));
      assertThat(whole.toFloats()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8);
      assertThat(stored.toFloats()).containsExactly(6, 7, 8);
      assertThat(across.toFloats()).containsExactly(4, 5, 7, 8);
    }
  }

  @Test
  void read_partOfWholeTensor_givesThatPart() {
    write(Map.of("w", Tensor.of(Shape.of(2, 2), "a", "b", "c", "d")));

    try (BundleReader reader = BundleReader.open(prefix);
        Tensor column = read(reader, "-:1,1")) {
      assertThat(column.shape()).isEqualTo(Shape.of(2, 1));
      assertThat(column.toStrings()).containsExactly("b", "d");
    }
  }

  @Test
  void read_slicesThatDoNotCover_isRefused() {
    try (Tensor part = Tensor.of(1f, 2f);
        BundleWriter writer = BundleWriter.create(prefix)) {
      writer.add("w", ShapeAndSlice.parse("3 0,2"), part);
      writer.finish();
    }
    try (BundleReader reader = BundleReader.open(prefix)) {
      assertThatThrownBy(() -> reader.read("w")).hasMessageContaining("do not cover");
    }
  }

  @Test
  void read_missingTensor_listsWhatThereIs() {
    write(Map.of("a", Tensor.scalar(1), "b", Tensor.scalar(2)));

    try (BundleReader reader = BundleReader.open(prefix)) {
      TributaryException failure =
          catchThrowableOfType(TributaryException.class, () -> reader.read("c"));

      assertThat(failure.code()).isEqualTo(ErrorCode.NOT_FOUND);
      assertThat(failure).hasMessageContaining("Key c").hasMessageContaining("[a, b]");
    }
  }

  @Test
  void open_missingCheckpoint_isNotFoundAndNamesTheFile() {
    TributaryException failure =
        catchThrowableOfType(TributaryException.class, () -> BundleReader.open(prefix));

    assertThat(failure.code()).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(failure).hasMessageContaining(BundleFiles.index(prefix).toString());
  }

  @Test
  void close_unfinished_keepsTheCheckpointBefore() throws IOException {
    write(Map.of("v", Tensor.scalar(1f)));
    try (BundleWriter writer = BundleWriter.create(prefix);
        Tensor other = Tensor.scalar(2f)) {
      writer.add("v", other);
    }

    try (BundleReader reader = BundleReader.open(prefix);
        Tensor v = reader.read("v");
        Stream<Path> files = Files.list(folder)) {
      assertThat(v.floatValue()).isEqualTo(1f);
      assertThat(files).hasSize(2);
    }
  }

  @Test
  void add_wrongTensors_areRefused() {
    try (BundleWriter writer = BundleWriter.create(prefix);
        Tensor one = Tensor.scalar(2f);
        Tensor pair = Tensor.of(1f, 2f)) {
      writer.add("v", one);
      writer.add("w", ShapeAndSlice.parse("4 0,2"), pair);

      assertThatThrownBy(() -> writer.add("v", one)).hasMessageContaining("duplicate key: v");
      assertThatThrownBy(() -> writer.add("", one)).hasMessageContaining("no name");
      assertThatThrownBy(() -> writer.add("w", ShapeAndSlice.parse("5 2,2"), pair))
          .hasMessageContaining("'w'");
      assertThatThrownBy(() -> writer.add("u", ShapeAndSlice.parse("5 2,3"), pair))
          .hasMessageContaining("[3]")
          .hasMessageContaining("[2]");
    }
  }

  private void write(Map<String, Tensor> tensors) {
    try (BundleWriter writer = BundleWriter.create(prefix)) {
      new TreeMap<>(tensors)
          .forEach(
              (name, tensor) -> {
                try (tensor) {
                  writer.add(name, tensor);
                }
              });
      writer.finish();
    }
  }

  private static Tensor read(BundleReader reader, String slice) {
    return reader.read(Allocator.shared(), "w", TensorSlice.parse(slice));
  }

  private static String hex(Path file) throws IOException {
    return HexFormat.of().formatHex(Files.readAllBytes(file));
  }
}
