package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.internal.bundle.BundleFiles;
import dev.tributary.internal.bundle.BundleMerge;
import dev.tributary.internal.bundle.BundleReader;
import dev.tributary.internal.bundle.BundleWriter;
import dev.tributary.internal.bundle.ShapeAndSlice;
import dev.tributary.internal.bundle.TensorSlice;
import dev.tributary.internal.bundle.V1CheckpointWriter;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.optable.Draw;
import dev.tributary.optable.TensorCompare;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stock TensorFlow restores our checkpoints, and we restore its. */
@RequiresStockTensorFlow
class StockCheckpointsTest {
  private static final List<DataType> TYPES =
      List.of(
          DataType.FLOAT,
          DataType.DOUBLE,
          DataType.INT32,
          DataType.UINT8,
          DataType.INT16,
          DataType.INT8,
          DataType.STRING,
          DataType.INT64,
          DataType.BOOL,
          DataType.BFLOAT16,
          DataType.HALF);

  @TempDir private Path folder;
  private final List<String> names = new ArrayList<>();
  private final List<String> slices = new ArrayList<>();
  private final List<Tensor> tensors = new ArrayList<>();

  /** Tensors of every type, a sliced one, an empty one, and many so that the index has blocks. */
  @BeforeEach
  void drawTensors() {
    for (DataType type : TYPES) {
      Draw draw = new Draw(type.number(), type, Draw.Size.ORDINARY);
      add(type.lowerName() + "/matrix", "", draw.tensor(Shape.of(3, 5)));
      add(type.lowerName() + "/scalar", "", draw.tensor(Shape.scalar()));
      add(type.lowerName() + "/empty", "", draw.tensor(Shape.of(0, 2)));
      add(type.lowerName() + "/sliced", "7 9000 -:0,65", draw.tensor(Shape.of(7, 65)));
      add(type.lowerName() + "/sliced", "7 9000 0,7:65,8935", draw.tensor(Shape.of(7, 8935)));
    }
    Draw draw = new Draw(1, DataType.FLOAT, Draw.Size.ORDINARY);
    for (int i = 0; i < 8000; i++) {
      add("very/long/name/of/a/layer/to/fill/blocks/" + i, "", draw.tensor(Shape.of(2)));
    }
  }

  @AfterEach
  void closeTensors() {
    tensors.forEach(Tensor::close);
  }

  @Test
  void save_sameTensors_givesStocksFilesByteForByte() throws IOException {
    Path ours = folder.resolve("ours");
    Path stock = folder.resolve("stock");
    saveOurs(ours, 0, names.size());
    saveStock(stock, 0, names.size());

    requireSame(BundleFiles.data(ours, 0, 1), BundleFiles.data(stock, 0, 1));
    requireSame(BundleFiles.index(ours), BundleFiles.index(stock));
  }

  @Test
  void restore_stocksCheckpoint_givesItsTensors() {
    Path stock = folder.resolve("stock");
    saveStock(stock, 0, names.size());

    requireReadByUs(stock);
  }

  @Test
  void restore_ourCheckpointByStock_givesOurTensors() {
    Path ours = folder.resolve("ours");
    saveOurs(ours, 0, names.size());

    requireReadByStock(ours);
  }

  @Test
  void merge_partsOfBoth_areRestoredByBoth() throws IOException {
    int half = names.size() / 2;
    List<Path> parts = parts("temp");
    saveOurs(parts.get(0), 0, half);
    saveStock(parts.get(1), half, names.size());
    List<Path> copies = parts("copy");
    Files.createDirectories(copies.get(0).getParent());
    for (int i = 0; i < parts.size(); i++) {
      Files.copy(BundleFiles.index(parts.get(i)), BundleFiles.index(copies.get(i)));
      Files.copy(BundleFiles.data(parts.get(i), 0, 1), BundleFiles.data(copies.get(i), 0, 1));
    }

    Path byUs = folder.resolve("by-us");
    BundleMerge.run(FileRoot.anywhere(), parts, byUs, true, false);
    Path byStock = folder.resolve("by-stock");
    StockCheckpoints.merge(copies, byStock);

    requireSame(BundleFiles.index(byUs), BundleFiles.index(byStock));
    requireReadByUs(byStock);
    requireReadByStock(byUs);
    assertThat(folder.resolve("temp")).doesNotExist();
  }

  @Test
  void restore_damagedCheckpointByStock_hasOurCode() throws IOException {
    Path ours = folder.resolve("ours");
    saveOurs(ours, 0, 1);
    Path data = BundleFiles.data(ours, 0, 1);
    byte[] damaged = Files.readAllBytes(data);
    damaged[0]++;
    Files.write(data, damaged);

    StockException stock =
        catchThrowableOfType(
            StockException.class,
            () ->
                StockCheckpoints.restore(
                    ours, names.subList(0, 1), List.of(""), List.of(DataType.FLOAT)));

    assertThat(stock.code()).isEqualTo(ErrorCode.DATA_LOSS);
  }

  private void requireReadByUs(Path prefix) {
    try (BundleReader reader = BundleReader.open(prefix)) {
      assertThat(reader.names())
          .containsExactlyInAnyOrderElementsOf(names.stream().distinct().toList());
      for (int i = 0; i < names.size(); i++) {
        String name = names.get(i);
        TensorSlice slice =
            slices.get(i).isEmpty()
                ? TensorSlice.whole(tensors.get(i).rank())
                : ShapeAndSlice.parse(slices.get(i)).slice();
        try (Tensor read = reader.read(Allocator.shared(), name, slice)) {
          TensorCompare.requireEqual(name, List.of(read), List.of(tensors.get(i)), t -> 0);
        }
      }
    }
  }

  private void requireReadByStock(Path prefix) {
    List<DataType> types = tensors.stream().map(Tensor::type).toList();
    List<Tensor> read = StockCheckpoints.restore(prefix, names, slices, types);
    try {
      TensorCompare.requireEqual("restored by stock", read, tensors, t -> 0);
    } finally {
      read.forEach(Tensor::close);
    }
  }

  private void saveOurs(Path prefix, int from, int to) {
    try (BundleWriter writer = BundleWriter.create(prefix)) {
      for (int i = from; i < to; i++) {
        if (slices.get(i).isEmpty()) {
          writer.add(names.get(i), tensors.get(i));
        } else {
          writer.add(names.get(i), ShapeAndSlice.parse(slices.get(i)), tensors.get(i));
        }
      }
      writer.finish();
    }
  }

  private void saveStock(Path prefix, int from, int to) {
    StockCheckpoints.save(
        prefix, names.subList(from, to), slices.subList(from, to), tensors.subList(from, to));
  }

  private List<Path> parts(String name) {
    return List.of(
        folder.resolve(name + "/part-00000-of-00002"),
        folder.resolve(name + "/part-00001-of-00002"));
  }

  private static void requireSame(Path ours, Path stock) throws IOException {
    assertThat(Files.mismatch(ours, stock)).as("first other byte of " + ours).isEqualTo(-1);
  }

  private void add(String name, String slice, Tensor tensor) {
    names.add(name);
    slices.add(slice);
    tensors.add(tensor);
  }

  // ---- the first version ----

  @Test
  void firstVersion_savedByStock_isReadHere() {
    Path path = folder.resolve("old.ckpt");
    try (Tensor file = Tensor.scalar(path.toString());
        Tensor keys = Tensor.of("w", "w", "s", "n");
        Tensor parts = Tensor.of("3 2 0,1:-", "3 2 1,2:-", "", "");
        Tensor top = Tensor.of(Shape.of(1, 2), new float[] {1, 2});
        Tensor rest = Tensor.of(Shape.of(2, 2), new float[] {3, 4, 5, 6});
        Tensor text = Tensor.of("a", "bc");
        Tensor number = Tensor.scalar(7L)) {
      StockTensorFlow.runOp(
          "SaveSlices", Map.of(), List.of(file, keys, parts, top, rest, text, number));
    }

    try (BundleReader reader = BundleReader.open(path);
        Tensor w = reader.read("w");
        Tensor s = reader.read("s");
        Tensor n = reader.read("n")) {
      assertThat(reader.names()).containsExactly("n", "s", "w");
      assertThat(w.toFloats()).containsExactly(1, 2, 3, 4, 5, 6);
      assertThat(s.toStrings()).containsExactly("a", "bc");
      assertThat(n.longValue()).isEqualTo(7);
    }
  }

  @Test
  void firstVersion_savedHere_isRestoredByStock() {
    Path path = folder.resolve("old.ckpt");
    try (Tensor top = Tensor.of(Shape.of(1, 2), new float[] {1, 2});
        Tensor rest = Tensor.of(Shape.of(2, 2), new float[] {3, 4, 5, 6});
        Tensor truth = Tensor.of(true, false)) {
      V1CheckpointWriter writer = new V1CheckpointWriter();
      writer.add("w", ShapeAndSlice.parse("3 2 0,1:-"), top);
      writer.add("w", ShapeAndSlice.parse("3 2 1,2:-"), rest);
      writer.add("t", truth);
      writer.write(path);
    }

    try (Tensor file = Tensor.scalar(path.toString());
        Tensor w = Tensor.scalar("w");
        Tensor t = Tensor.scalar("t");
        Tensor restored =
            StockTensorFlow.runOp(
                    "Restore", Map.of("dt", Nodes.type(DataType.FLOAT)), List.of(file, w))
                .get(0);
        Tensor truth =
            StockTensorFlow.runOp(
                    "Restore", Map.of("dt", Nodes.type(DataType.BOOL)), List.of(file, t))
                .get(0)) {
      assertThat(restored.toFloats()).containsExactly(1, 2, 3, 4, 5, 6);
      assertThat(truth.toBooleans()).containsExactly(true, false);
    }
  }
}
