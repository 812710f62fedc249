package dev.tributary.optable;

import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.STRING;

import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

final class AudioOpRows {
  private AudioOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("DecodeWav")
            .example(
                () -> OpCall.of(scalar(wav(1, 8000, 0, 16384, -32768))),
                Tensor.of(Shape.of(3, 1), 0f, 0.5f, -1f),
                Tensor.scalar(8000))
            .types(STRING)
            .shapeDependsOnValues()
            .draw(
                d -> {
                  int channels = d.integer(1, 3);
                  int moments = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 6);
                  int[] samples = new int[channels * moments];
                  for (int i = 0; i < samples.length; i++) {
                    samples[i] = d.integer(Short.MIN_VALUE, Short.MAX_VALUE);
                  }
                  return OpCall.of(scalar(wav(channels, d.integer(1, 48000), samples)))
                      .attr("desired_channels", d.flip() ? -1 : d.integer(1, 4))
                      .attr("desired_samples", moments == 0 || d.flip() ? -1 : d.integer(1, 8));
                }),
        OpRow.of("EncodeWav")
            .example(
                () -> OpCall.of(Tensor.of(Shape.of(2, 1), 0.5f, -2f), Tensor.scalar(8000)),
                scalar(wav(1, 8000, 16384, -32768)))
            .types(FLOAT)
            .draw(
                d ->
                    OpCall.of(
                        d.tensor(
                            FLOAT,
                            Shape.of(
                                d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 6), d.integer(1, 3)),
                            -1.5,
                            1.5),
                        d.tensor(INT32, Shape.scalar(), 1, 48000))));
  }

  private static Tensor scalar(byte[] bytes) {
    return Tensor.ofObjects(STRING, Shape.scalar(), (Object) bytes);
  }

  private static byte[] wav(int channels, int sampleRate, int... samples) {
    ByteBuffer format = ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN);
    format.putInt(16).putShort((short) 1).putShort((short) channels).putInt(sampleRate);
    format.putInt(2 * channels * sampleRate).putShort((short) (2 * channels)).putShort((short) 16);
    ByteBuffer data = ByteBuffer.allocate(4 + 2 * samples.length).order(ByteOrder.LITTLE_ENDIAN);
    data.putInt(2 * samples.length);
    for (int sample : samples) {
      data.putShort((short) sample);
    }
    ByteBuffer size = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
    size.putInt(36 + 2 * samples.length);
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes("RIFF".getBytes(StandardCharsets.US_ASCII));
    file.writeBytes(size.array());
    file.writeBytes("WAVEfmt ".getBytes(StandardCharsets.US_ASCII));
    file.writeBytes(format.array());
    file.writeBytes("data".getBytes(StandardCharsets.US_ASCII));
    file.writeBytes(data.array());
    return file.toByteArray();
  }
}
