package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.ops.Ops;
import dev.tributary.ops.SummaryWriter;
import dev.tributary.record.EventReader;
import dev.tributary.session.Session;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.proto.Event;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.Summary;

/** Writers of summaries in a graph write the events that they write in stock TensorFlow. */
@RequiresStockTensorFlow
class StockSummariesTest {
  @TempDir private Path folder;

  @Test
  void events_ofEachOp_areThoseOfStock() throws IOException {
    assertThat(events("ours", false)).hasSize(10).isEqualTo(events("stock", true));
  }

  /** The events that one session writes, without their times. */
  private List<Event> events(String name, boolean isStock) throws IOException {
    Ops tf = Ops.create();
    String logs = folder.resolve(name).toString();
    List<Operation> steps = steps(tf, logs);
    try {
      if (isStock) {
        try (StockSession stock = new StockSession(GraphDefs.toProto(tf.graph()))) {
          steps.forEach(step -> stock.run(Map.of(), List.of(), List.of(step.name())));
        }
      } else {
        try (Session session = Sessions.local(tf.graph())) {
          steps.forEach(session::run);
        }
      }
    } finally {
      tf.graph().close();
    }
    try (Stream<Path> files = Files.list(Path.of(logs))) {
      List<Path> all = files.toList();
      assertThat(all).hasSize(1);
      assertThat(all.get(0).getFileName().toString()).contains("tfevents").endsWith(".v2");
      return read(all.get(0));
    }
  }

  private static List<Event> read(Path file) {
    List<Event> events = new ArrayList<>();
    try (EventReader reader = EventReader.open(file)) {
      for (Optional<Event> next = reader.next(); next.isPresent(); next = reader.next()) {
        events.add(comparable(next.get()));
      }
    }
    return events;
  }

  /** Times differ, stock names itself as the source, and encoders of PNG compress differently. */
  private static Event comparable(Event event) {
    Event.Builder builder = event.toBuilder().clearWallTime().clearSourceMetadata();
    if (builder.hasSummary()) {
      for (Summary.Value.Builder value : builder.getSummaryBuilder().getValueBuilderList()) {
        if (value.hasImage()) {
          value.getImageBuilder().clearEncodedImageString();
        }
      }
    }
    return builder.build();
  }

  private static List<Operation> steps(Ops tf, String logs) {
    SummaryWriter writer = tf.summary.writer("writer");
    Output step = tf.constant(7L);
    byte[] graph = GraphDef.newBuilder().setVersion(3).build().toByteArray();
    return List.of(
        writer.create(tf.constant(logs)),
        writer.scalar(step, "loss", tf.constant(0.25f)),
        writer.scalar(step, "count", tf.constant(3)),
        writer.histogram(step, "weights", tf.constant(new float[] {1, 2, -3})),
        writer.image(step, "digit", tf.constant(Shape.of(1, 2, 2, 1), 1f, 2f, 3f, -4f), 1),
        writer.audio(
            step, "sound", tf.constant(Shape.of(1, 4), 0f, 1f, 0f, -1f), tf.constant(8000f), 1),
        writer.tensor(step, "tensor", tf.constant(new float[] {1, 2}), tf.constant("")),
        writer.summary(step, tf.summary.scalar("merged", tf.constant(2f))),
        writer.graph(step, text(tf, graph)),
        writer.importEvent(text(tf, Event.newBuilder().setStep(9).build().toByteArray())),
        writer.flush(),
        writer.close());
  }

  private static Output text(Ops tf, byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes) {
      text.append((char) b);
    }
    return tf.constant(text.toString());
  }
}
