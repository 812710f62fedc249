package dev.tributary.internal.scalars;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.image.PngImages;
import dev.tributary.record.EventReader;
import dev.tributary.record.EventWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.proto.Event;
import org.tensorflow.proto.HistogramProto;
import org.tensorflow.proto.Summary;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

class EventFilesTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.ofEpochMilli(1_600_000_000_500L), ZoneOffset.UTC);

  @TempDir private Path folder;

  @Test
  void create_newFile_hasTensorBoardsNameAndFirstEvent() {
    try (EventWriter writer = writer()) {
      assertThat(writer.path())
          .isEqualTo(folder.resolve("events.out.tfevents.1600000000.here.suffix"));
      try (EventReader reader = EventReader.open(writer.path())) {
        Event first = reader.next().orElseThrow();
        assertThat(first.getFileVersion()).isEqualTo("brain.Event:2");
        assertThat(first.getWallTime()).isEqualTo(1600000000.5);
        assertThat(reader.next()).isEmpty();
      }
    }
  }

  @Test
  void create_twiceInASecond_givesTwoFiles() {
    try (EventWriter one = writer();
        EventWriter other = writer()) {
      assertThat(one.path()).isNotEqualTo(other.path());
    }
  }

  @Test
  void read_everyKindOfEvent_givesTheSame() {
    Path path;
    try (EventWriter writer = writer()) {
      path = writer.path();
      writer.scalar("loss", 0.5f, 3);
      writer.graph(new byte[] {1}, 0);
      writer.metaGraph(new byte[] {2}, 0);
      writer.runMetadata("step4", new byte[] {3}, 4);
      writer.sessionStop(5);
      writer.checkpoint("model-6", 6);
    }

    try (EventReader reader = EventReader.open(path)) {
      reader.next();
      Event scalar = reader.next().orElseThrow();
      assertThat(scalar.getStep()).isEqualTo(3);
      assertThat(scalar.getSummary().getValue(0).getTag()).isEqualTo("loss");
      assertThat(scalar.getSummary().getValue(0).getSimpleValue()).isEqualTo(0.5f);
      assertThat(reader.next().orElseThrow().getGraphDef().toByteArray()).containsExactly(1);
      assertThat(reader.next().orElseThrow().getMetaGraphDef().toByteArray()).containsExactly(2);
      assertThat(reader.next().orElseThrow().getTaggedRunMetadata().getTag()).isEqualTo("step4");
      assertThat(reader.next().orElseThrow().getSessionLog().getStatusValue()).isEqualTo(2);
      assertThat(reader.next().orElseThrow().getSessionLog().getCheckpointPath())
          .isEqualTo("model-6");
      assertThat(reader.next()).isEmpty();
    }
  }

  @Test
  void read_summariesOfTheWriter_giveTheSame() {
    Path path;
    try (EventWriter writer = writer()) {
      path = writer.path();
      writer.histogram("weights", new double[] {-3, 0, 0.5}, 1);
      writer.image("digit", 1, 2, 1, new byte[] {0, 9}, 2);
      writer.text("note", "*hello*", 3);
    }

    try (EventReader reader = EventReader.open(path)) {
      reader.next();
      HistogramProto spread = reader.next().orElseThrow().getSummary().getValue(0).getHisto();
      assertThat(spread.getMin()).isEqualTo(-3);
      assertThat(spread.getNum()).isEqualTo(3);
      assertThat(spread.getSumSquares()).isEqualTo(9.25);
      assertThat(spread.getBucketList()).contains(1.0).endsWith(0.0);
      assertThat(spread.getBucketList().stream().mapToDouble(count -> count).sum()).isEqualTo(3);
      Summary.Image image = reader.next().orElseThrow().getSummary().getValue(0).getImage();
      assertThat(PngImages.decode(image.getEncodedImageString().toByteArray(), 0).samples())
          .containsExactly(0, 9);
      Summary.Value text = reader.next().orElseThrow().getSummary().getValue(0);
      assertThat(text.getTensor().getStringVal(0).toStringUtf8()).isEqualTo("*hello*");
      assertThat(text.getMetadata().getPluginData().getPluginName()).isEqualTo("text");
    }
  }

  @Test
  void read_cutFile_endsBeforeTheCut() throws IOException {
    Path path;
    try (EventWriter writer = writer()) {
      path = writer.path();
      writer.scalar("loss", 0.5f, 3);
    }
    byte[] whole = Files.readAllBytes(path);
    Files.write(path, Arrays.copyOf(whole, whole.length - 1));

    try (EventReader reader = EventReader.open(path)) {
      assertThat(reader.next()).isPresent();
      assertThat(reader.next()).isEmpty();
    }
  }

  @Test
  void read_changedByte_isDataLossThatNamesTheFile() throws IOException {
    Path path;
    try (EventWriter writer = writer()) {
      path = writer.path();
      writer.scalar("loss", 0.5f, 3);
    }
    byte[] whole = Files.readAllBytes(path);
    whole[whole.length - 6] ^= 1;
    Files.write(path, whole);

    try (EventReader reader = EventReader.open(path)) {
      assertThat(reader.next()).isPresent();
      TributaryException failure = catchThrowableOfType(TributaryException.class, reader::next);

      assertThat(failure.code()).isEqualTo(ErrorCode.DATA_LOSS);
      assertThat(failure).hasMessageContaining(path.toString());
    }
  }

  @Test
  void summary_otherBytes_areRefused() {
    try (EventWriter writer = writer()) {
      TributaryException failure =
          catchThrowableOfType(
              TributaryException.class, () -> writer.summary(new byte[] {10, 50, 1}, 0));

      assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }
  }

  @Test
  void scalars_ofBothForms_areFoundByTag() {
    TensorProto tensor =
        TensorProto.newBuilder()
            .setDtypeValue(1)
            .setTensorShape(TensorShapeProto.getDefaultInstance())
            .addFloatVal(7)
            .build();
    Summary summary =
        Summary.newBuilder()
            .addValue(Summary.Value.newBuilder().setTag("new").setTensor(tensor))
            .addValue(
                Summary.Value.newBuilder().setTag("image").setImage(Summary.Image.newBuilder()))
            .build();
    try (EventWriter writer = writer()) {
      writer.scalar("old", 1, 1);
      writer.scalar("old", 2, 2);
      writer.summary(summary.toByteArray(), 2);
    }

    RunScalars scalars = RunScalars.read(EventFiles.runs(folder).get("."));

    assertThat(scalars.byTag()).containsOnlyKeys("new", "old");
    assertThat(scalars.byTag().get("old"))
        .containsExactly(new ScalarPoint(1, 1600000000.5, 1), new ScalarPoint(2, 1600000000.5, 2));
    assertThat(scalars.byTag().get("new").get(0).value()).isEqualTo(7);
  }

  @Test
  void scalars_ofRestartedRun_forgetWhatCameAfter() {
    try (EventWriter writer = writer()) {
      for (int step = 1; step <= 5; step++) {
        writer.scalar("loss", step, step);
      }
      writer.sessionStart(3);
      writer.scalar("loss", 30, 3);
    }

    RunScalars scalars = RunScalars.read(EventFiles.runs(folder).get("."));

    assertThat(scalars.byTag().get("loss").stream().map(ScalarPoint::value))
        .containsExactly(1.0, 2.0, 30.0);
  }

  @Test
  void runs_foldersBelow_areRunsOfTheirOwn() {
    EventWriter.create(folder.resolve("eval/one")).close();
    EventWriter.create(folder).close();

    assertThat(EventFiles.runs(folder).keySet()).containsExactly(".", "eval/one");
    assertThat(EventFiles.runs(folder).values()).allMatch(files -> files.size() == 1);
    assertThat(List.copyOf(RunScalars.read(List.of()).byTag().keySet())).isEmpty();
  }

  private EventWriter writer() {
    return EventWriter.create(folder, ".suffix", CLOCK, "here");
  }
}
