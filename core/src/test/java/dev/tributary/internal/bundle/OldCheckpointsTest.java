package dev.tributary.internal.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.file.MaskedCrc;
import dev.tributary.internal.file.PartFile;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.proto.SavedSliceMeta;
import org.tensorflow.proto.SavedTensorSlices;
import org.tensorflow.proto.TensorSliceProto;

/** What writers of long ago left behind: blocks in Snappy's format, checkpoints of version 1. */
@NoLeaks
class OldCheckpointsTest {
  @TempDir Path folder;

  // ---- Snappy ----

  @Test
  void decompress_literalsAndCopies_givesWhatTheyStandFor() throws Exception {
    assertThat(decompressed(0)).isEmpty();
    assertThat(decompressed(3, 2 << 2, 'a', 'b', 'c')).isEqualTo("abc");
    assertThat(decompressed(10, 0, 'a', 5 << 2 | 1, 1)).isEqualTo("aaaaaaaaaa");
    assertThat(decompressed(5, 1 << 2, 'a', 'b', 2 << 2 | 2, 2, 0)).isEqualTo("ababa");
    assertThat(decompressed(5, 1 << 2, 'a', 'b', 2 << 2 | 3, 2, 0, 0, 0)).isEqualTo("ababa");
    assertThat(decompressed(2, 60 << 2, 1, 'x', 'y')).isEqualTo("xy");
  }

  @Test
  void decompress_damaged_isRefused() {
    int[][] all = {
      {},
      {5, 2 << 2, 'a', 'b', 'c'}, // Less than it says.
      {2, 2 << 2, 'a', 'b', 'c'}, // More.
      {3, 2 << 2, 'a'}, // Cut.
      {5, 0, 'a', 1, 2}, // A copy from before the start.
      {5, 0, 'a', 1, 0}, // A copy of nothing.
      {255, 255, 255, 255, 255, 255}, // A size without an end.
      {255, 255, 255, 255, 7, 0, 'a'} // Two gigabytes.
    };
    for (int[] bytes : all) {
      assertThatThrownBy(() -> decompressed(bytes))
          .as(Arrays.toString(bytes))
          .isInstanceOf(IOException.class);
    }
  }

  private static String decompressed(int... bytes) throws IOException {
    byte[] block = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      block[i] = (byte) bytes[i];
    }
    return new String(SnappyBlock.decompress(block, 0, block.length), StandardCharsets.UTF_8);
  }

  @Test
  void open_indexInSnappyBlocks_isRead() throws Exception {
    Path prefix = folder.resolve("model");
    try (BundleWriter writer = BundleWriter.create(prefix);
        Tensor one = Tensor.of(1f, 2f);
        Tensor two = Tensor.scalar(7L)) {
      writer.add("a", one);
      writer.add("b", two);
      writer.finish();
    }
    compress(BundleFiles.index(prefix));

    try (BundleReader reader = BundleReader.open(prefix);
        Tensor a = reader.read("a");
        Tensor b = reader.read("b")) {
      assertThat(a.toFloats()).containsExactly(1, 2);
      assertThat(b.longValue()).isEqualTo(7);
    }
  }

  /** Writes a table of one block again, with its block compressed. */
  private static void compress(Path table) throws IOException {
    TreeMap<String, byte[]> entries = new TreeMap<>(TableReader.read(FileRoot.anywhere(), table));
    BlockBuilder data = new BlockBuilder(16);
    entries.forEach((key, value) -> data.add(key.getBytes(StandardCharsets.ISO_8859_1), value));
    byte[] plain = data.finish();
    ByteArrayOutputStream snappy = new ByteArrayOutputStream();
    snappy.writeBytes(new byte[] {(byte) (plain.length | 0x80), (byte) (plain.length >> 7)});
    snappy.writeBytes(new byte[] {(byte) (60 << 2), (byte) (plain.length - 1)});
    snappy.writeBytes(plain);
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    BlockHandle block = add(file, snappy.toByteArray(), 1);
    BlockHandle filters = add(file, new BlockBuilder(16).finish(), 0);
    BlockBuilder index = new BlockBuilder(1);
    index.add("z".getBytes(StandardCharsets.UTF_8), block.toBytes());
    BlockHandle last = add(file, index.finish(), 0);
    ByteBuffer footer =
        ByteBuffer.allocate(TableWriter.FOOTER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    footer.put(filters.toBytes()).put(last.toBytes());
    footer.putLong(TableWriter.FOOTER_BYTES - Long.BYTES, TableWriter.MAGIC);
    file.writeBytes(footer.array());
    Files.write(table, file.toByteArray());
  }

  private static BlockHandle add(ByteArrayOutputStream file, byte[] content, int compression) {
    BlockHandle handle = new BlockHandle(file.size(), content.length);
    ByteBuffer block =
        ByteBuffer.allocate(content.length + TableWriter.TRAILER_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    block.put(content).put((byte) compression);
    block.putInt(MaskedCrc.of(block.duplicate().flip()));
    file.writeBytes(block.array());
    return handle;
  }

  // ---- version 1 ----

  @Test
  void open_fileOfVersion1_readsWholeTensorsAndSlices() {
    Path file = folder.resolve("model.ckpt");
    write(file, "w", "2 2", "-:-", new float[] {1, 2, 3, 4});

    try (BundleReader reader = BundleReader.open(file);
        Tensor whole = reader.read("w");
        Tensor row = reader.read(Allocator.shared(), "w", TensorSlice.parse("1,1:-"))) {
      assertThat(reader.names()).containsExactly("w");
      assertThat(reader.entry("w").type()).isEqualTo(DataType.FLOAT);
      assertThat(whole.shape()).isEqualTo(Shape.of(2, 2));
      assertThat(whole.toFloats()).containsExactly(1, 2, 3, 4);
      assertThat(row.toFloats()).containsExactly(3, 4);
      assertThat(failure(() -> reader.read("v")).code()).isEqualTo(ErrorCode.NOT_FOUND);
    }
  }

  @Test
  void open_patternOfShardsOfVersion1_joinsTheSlices() {
    write(folder.resolve("model-00000-of-00002"), "w", "2 2", "0,1:-", new float[] {1, 2});
    write(folder.resolve("model-00001-of-00002"), "w", "2 2", "1,1:-", new float[] {3, 4});

    try (BundleReader reader = BundleReader.open(folder.resolve("model-?????-of-00002"));
        Tensor whole = reader.read("w")) {
      assertThat(whole.toFloats()).containsExactly(1, 2, 3, 4);
    }
  }

  @Test
  void open_damagedFileOfVersion1_isDataLoss() throws Exception {
    Path file = folder.resolve("model.ckpt");
    write(file, "w", "2 2", "-:-", new float[] {1, 2, 3});
    try (BundleReader reader = BundleReader.open(file)) {
      assertThat(failure(() -> reader.read("w")))
          .hasMessageContaining("3 elements do not make a tensor of shape [2,2]");
    }
    byte[] whole = Files.readAllBytes(file);
    for (int size = 0; size < whole.length; size += 3) {
      Files.write(file, Arrays.copyOf(whole, size));
      assertThat(failure(() -> BundleReader.open(file)).code()).isEqualTo(ErrorCode.DATA_LOSS);
    }
  }

  private static void write(Path path, String name, String shape, String slice, float[] elements) {
    TensorSlice part = TensorSlice.parse(slice);
    SavedSliceMeta.Builder meta =
        SavedSliceMeta.newBuilder().setName(name).setType(org.tensorflow.proto.DataType.DT_FLOAT);
    for (String size : shape.split(" ")) {
      meta.getShapeBuilder().addDimBuilder().setSize(Long.parseLong(size));
    }
    TensorSliceProto.Builder extents = meta.addSliceBuilder();
    for (int i = 0; i < part.rank(); i++) {
      TensorSliceProto.Extent.Builder extent = extents.addExtentBuilder();
      if (part.length(i) != TensorSlice.WHOLE) {
        extent.setStart(part.start(i)).setLength(part.length(i));
      }
    }
    SavedTensorSlices.Builder head = SavedTensorSlices.newBuilder();
    head.getMetaBuilder().addTensor(meta);
    SavedTensorSlices.Builder data = SavedTensorSlices.newBuilder();
    data.getDataBuilder().setName(name).setSlice(extents);
    for (float element : elements) {
      data.getDataBuilder().getDataBuilder().addFloatVal(element);
    }
    try (PartFile file = PartFile.create(path)) {
      TableWriter table = new TableWriter(file);
      table.add(new byte[0], head.build().toByteArray());
      table.add(OrderedCode.sliceKey(name, part), data.build().toByteArray());
      table.finish();
      file.commit();
    }
  }

  private static TributaryException failure(Runnable action) {
    TributaryException failure = catchThrowableOfType(action::run, TributaryException.class);
    assertThat(failure).isNotNull();
    return failure;
  }
}
