package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.LookupTable;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Queue;
import dev.tributary.ops.QueueOptions;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import javax.imageio.ImageIO;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a local session with a limit on its memory refuses, and whom it names. */
@NoLeaks
@Timeout(60)
class MemoryLimitTest {
  private static final SessionOptions ONE_MIB = SessionOptions.defaults().withMemoryBytes(1 << 20);

  private final Ops tf = Ops.create();

  @Test
  void step_variablesQueuesAndTablesFillTheLimit_isRefusedAndNamesThem() {
    Variable weights = tf.variable("weights", floats(100_000));
    Queue queue = tf.queues.fifoQueue(QueueOptions.of(10, DataType.FLOAT));
    Operation enqueue = queue.enqueue(floats(60_000));
    LookupTable table = tf.lookup.mutableHashTable(DataType.INT64, DataType.INT64);
    Operation insert = table.insert(numbers(500), numbers(500));
    Output large = floats(80_000);

    try (Session session = Session.local(tf.graph(), ONE_MIB)) {
      session.run(weights.initializer());
      session.run(enqueue);
      session.run(insert);
      assertExhausted(() -> session.runner().fetch(tf.neg(large)).run())
          .withMessageContaining("at most 1048576 bytes")
          .withMessageContaining("variables 390.6 KiB (the largest is 'weights' with 390.6 KiB)")
          .withMessageContaining("queues 234.6 KiB (the largest is '")
          .withMessageContaining("tables 54.7 KiB")
          .withMessageContaining("SessionOptions.memoryBytes");

      session.runner().fetch(queue.dequeue().get(0)).run().close();
      session.runner().fetch(tf.neg(large)).run().close();
    }
    tf.graph().close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void step_stringsFillTheLimit_isRefusedAndNamesTheirHolders(boolean fixedOrder) {
    Output text = tf.strings.asString(floats(10_000)); // About 32 bytes each.
    Variable words = tf.variable("words", text);
    Queue queue = tf.queues.fifoQueue(QueueOptions.of(10, DataType.STRING));
    Operation enqueue = queue.enqueue(text);
    Operation enqueueMany = queue.enqueueMany(tf.reshape(text, tf.constant(new int[] {10, 1000})));

    try (Session session = Session.local(tf.graph(), ONE_MIB.withFixedOrder(fixedOrder))) {
      session.run(words.initializer());
      session.run(enqueue);
      assertExhausted(() -> session.run(enqueueMany))
          .withMessageContaining("a tensor of strings")
          .withMessageContaining("variables 312.5 KiB (the largest is 'words' with 312.5 KiB)")
          .withMessageContaining("queues ");

      Output first = queue.dequeue().get(0);
      while (session.fetch(queue.size()).intValue() > 0) {
        session.runner().fetch(first).run().close();
      }
      for (int i = 0; i < 20; i++) { // Nothing stays counted.
        session.runner().fetch(text).run().close();
        session.run(words.initializer());
        session.run(enqueue);
        session.runner().fetch(first).run().close();
      }
    }
    tf.graph().close();
  }

  @Test
  void table_moreEntriesThanFit_staysAsItWas() {
    LookupTable table = tf.lookup.mutableHashTable(DataType.INT64, DataType.INT64);
    Operation few = table.insert(numbers(100), numbers(100));
    Operation many = table.insert(numbers(20_000), numbers(20_000));

    try (Session session = Session.local(tf.graph(), ONE_MIB)) {
      session.run(few);
      assertExhausted(() -> session.run(many)).withMessageContaining("a change of table");
      assertThat(session.fetch(table.size()).longValue()).isEqualTo(100);
      for (int i = 0; i < 200; i++) { // The same keys take no more room.
        session.run(few);
      }
    }
    tf.graph().close();
  }

  /** A megabyte of zeros, and an image of 4 megapixels: a few kilobytes each. */
  @Test
  void decoders_ofMoreThanTheLimit_areRefusedBeforeTheyUnpackIt() throws IOException {
    Output bytes = tf.placeholder(DataType.STRING, Shape.scalar());
    Output unpacked =
        tf.scope()
            .operation("DecodeCompressed")
            .input(bytes)
            .attr("compression_type", "GZIP")
            .buildOutput();
    Output image = tf.scope().operation("DecodeImage").input(bytes).buildOutput();
    try (Session session = Session.local(tf.graph(), ONE_MIB);
        Tensor zeros = bytes(packedZeros(2 << 20));
        Tensor black = bytes(blackImage("png"));
        Tensor jpeg = bytes(blackImage("jpg"));
        Tensor gif = bytes(blackImage("gif"));
        Tensor bitmap = bytes(Arrays.copyOf(blackImage("bmp"), 60))) {
      assertExhausted(() -> session.runner().feed(bytes, zeros).fetch(unpacked).run())
          .withMessageContaining("unpack to more than the 1048576 bytes");
      for (Tensor content : List.of(black, jpeg, gif, bitmap)) {
        assertExhausted(() -> session.runner().feed(bytes, content).fetch(image).run())
            .withMessageContaining("an image of 4000000 bytes");
      }
    }
    tf.graph().close();
  }

  private static Tensor bytes(byte[] content) {
    return Tensor.ofObjects(DataType.STRING, Shape.scalar(), content);
  }

  private static byte[] packedZeros(int length) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(new byte[length]);
    }
    return packed.toByteArray();
  }

  private static byte[] blackImage(String format) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(2000, 2000, BufferedImage.TYPE_BYTE_GRAY), format, packed);
    return packed.toByteArray();
  }

  @Test
  void memoryBytes_notPositive_isRefused() {
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> SessionOptions.defaults().withMemoryBytes(0))
        .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT);
  }

  /** Not a constant: those are the graph's. */
  private Output floats(int count) {
    return tf.random.uniform(tf.constant(new int[] {count}), DataType.FLOAT);
  }

  private Output numbers(int count) {
    return tf.cast(tf.range(tf.constant(0), tf.constant(count), tf.constant(1)), DataType.INT64);
  }

  private static ThrowableAssertAlternative<TributaryException> assertExhausted(
      ThrowingCallable call) {
    return assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(call)
        .matches(e -> e.code() == ErrorCode.RESOURCE_EXHAUSTED, "RESOURCE_EXHAUSTED");
  }
}
