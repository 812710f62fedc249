package dev.tributary.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.MaskedCrc;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecordFilesTest {
  @TempDir private Path folder;

  @Test
  void maskedCrc_knownBytes_isTensorFlows() {
    byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);

    assertThat(MaskedCrc.of(digits)).isEqualTo(0xc78ab0e5);
    assertThat(MaskedCrc.unmask(0xc78ab0e5)).isEqualTo(0xe3069283);
  }

  @Test
  void write_knownRecords_givesTensorFlowsBytes() throws IOException {
    Path path = write(Compression.NONE, "", "abc");

    assertThat(HexFormat.of().formatHex(Files.readAllBytes(path)))
        .isEqualTo("000000000000000029039807d8ea82a2" + "0300000000000000b099490e6162636e57f121");
  }

  @ParameterizedTest
  @EnumSource
  void read_whatWasWritten_givesTheSame(Compression compression) {
    Random random = new Random(7);
    List<byte[]> records = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      byte[] record = new byte[random.nextInt(i % 10 == 0 ? 200_000 : 100)];
      random.nextBytes(record);
      records.add(record);
    }
    Path path = folder.resolve("records");
    try (RecordWriter writer = RecordWriter.create(path, compression)) {
      records.forEach(writer::write);
    }

    assertThat(read(path, compression)).containsExactlyElementsOf(records);
  }

  @ParameterizedTest
  @EnumSource
  void read_flushedFile_seesAllRecords(Compression compression) {
    Path path = folder.resolve("records");
    try (RecordWriter writer = RecordWriter.create(path, compression)) {
      writer.write(new byte[] {1, 2});
      writer.flush();
      try (RecordReader reader = RecordReader.open(path, compression)) {
        assertThat(reader.next()).hasValueSatisfying(r -> assertThat(r).containsExactly(1, 2));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void read_emptyFile_hasNoRecord(Compression compression) throws IOException {
    Path path = Files.createFile(folder.resolve("empty"));

    assertThat(read(path, compression)).isEmpty();
  }

  @Test
  void read_anyByteChanged_isDataLossWithFileAndOffset() throws IOException {
    byte[] whole = Files.readAllBytes(write(Compression.NONE, "first", "second"));
    for (int i = 0; i < whole.length; i++) {
      byte[] damaged = whole.clone();
      damaged[i] ^= 0x10;
      Path path = Files.write(folder.resolve("damaged"), damaged);

      TributaryException failure =
          catchThrowableOfType(TributaryException.class, () -> read(path, Compression.NONE));

      assertThat(failure).as("byte %d", i).isNotNull();
      assertThat(failure.code()).isEqualTo(ErrorCode.DATA_LOSS);
      assertThat(failure)
          .hasMessageContaining(path.toString())
          .hasMessageContaining("offset " + (i < 21 ? 0 : 21))
          .hasMessageContaining("corrupted record");
    }
  }

  @Test
  void read_cutAnywhere_isTruncatedUnlessBetweenRecords() throws IOException {
    byte[] whole = Files.readAllBytes(write(Compression.NONE, "first", "second"));
    for (int length = 0; length <= whole.length; length++) {
      Path path = Files.write(folder.resolve("cut"), Arrays.copyOf(whole, length));
      boolean isBetween = length == 0 || length == 21 || length == whole.length;

      TributaryException failure =
          catchThrowableOfType(TributaryException.class, () -> read(path, Compression.NONE));

      if (isBetween) {
        assertThat(failure).as("length %d", length).isNull();
      } else {
        assertThat(failure).as("length %d", length).hasMessageContaining("truncated record");
        assertThat(failure.code()).isEqualTo(ErrorCode.DATA_LOSS);
        try (RecordReader reader = RecordReader.open(path)) {
          assertThat(reader.nextIfWhole().isPresent()).isEqualTo(length > 21);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void read_compressedFileCutOrOfAnotherKind_isDataLoss(Compression compression)
      throws IOException {
    byte[] whole = Files.readAllBytes(write(compression, "first", "second"));
    Path cut = Files.write(folder.resolve("cut"), Arrays.copyOf(whole, whole.length / 2));
    Path plain = write(Compression.NONE, "plain");

    for (Path path : List.of(cut, plain)) {
      TributaryException failure =
          catchThrowableOfType(TributaryException.class, () -> read(path, compression));

      assertThat(failure.code()).as("%s", failure).isEqualTo(ErrorCode.DATA_LOSS);
      assertThat(failure).hasMessageContaining(path.toString());
    }
  }

  @Test
  void open_missingFile_isNotFound() {
    TributaryException failure =
        catchThrowableOfType(
            TributaryException.class, () -> RecordReader.open(folder.resolve("missing")));

    assertThat(failure.code()).isEqualTo(ErrorCode.NOT_FOUND);
  }

  @Test
  void compression_unknownName_listsWhatThereIs() {
    assertThat(catchThrowableOfType(TributaryException.class, () -> Compression.named("LZ4")))
        .hasMessageContaining("'LZ4'")
        .hasMessageContaining("GZIP");
  }

  private Path write(Compression compression, String... records) {
    Path path = folder.resolve("records." + compression);
    try (RecordWriter writer = RecordWriter.create(path, compression)) {
      for (String record : records) {
        writer.write(record.getBytes(StandardCharsets.UTF_8));
      }
    }
    return path;
  }

  private static List<byte[]> read(Path path, Compression compression) {
    List<byte[]> records = new ArrayList<>();
    try (RecordReader reader = RecordReader.open(path, compression)) {
      for (Optional<byte[]> next = reader.next(); next.isPresent(); next = reader.next()) {
        records.add(next.get());
      }
    }
    return records;
  }
}
