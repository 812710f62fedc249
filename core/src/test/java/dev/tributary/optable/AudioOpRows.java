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
                        d.tensor(INT32, Shape.scalar(), 1, 48000))),
        OpRow.of("AudioSpectrogram")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(4, 1), 0f, 1f, 1f, 1f))
                        .attr("window_size", 2)
                        .attr("stride", 1)
                        .attr("magnitude_squared", true),
                Tensor.of(Shape.of(1, 3, 2), 1f, 1f, 1f, 1f, 1f, 1f))
            .types(FLOAT)
            .without(Draw.Size.SCALAR, "a sound has moments and channels")
            .draw(
                d -> {
                  int moments = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 40);
                  return OpCall.of(d.tensor(FLOAT, Shape.of(moments, d.integer(1, 2)), -1, 1))
                      .attr("window_size", d.integer(2, 17))
                      .attr("stride", d.integer(1, 9))
                      .attr("magnitude_squared", d.flip());
                }),
        OpRow.of("Mfcc")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(1, 1, 2), 0f, 0f), Tensor.scalar(100))
                        .attr("upper_frequency_limit", 60f)
                        .attr("filterbank_channel_count", 1)
                        .attr("dct_coefficient_count", 1),
                Tensor.of(Shape.of(1, 1, 1), (float) (Math.sqrt(2) * Math.log(1e-12))))
            .types(FLOAT)
            .draw(
                d -> {
                  Shape shape =
                      Shape.of(
                          d.integer(1, 2),
                          d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 3),
                          d.integer(9, 33));
                  int filters = d.integer(1, 6);
                  return OpCall.of(
                          d.tensor(FLOAT, shape, 0, 100),
                          d.tensor(INT32, Shape.scalar(), 2000, 48000))
                      .attr("upper_frequency_limit", (float) d.integer(1000, 9000))
                      .attr("lower_frequency_limit", (float) d.integer(0, 900))
                      .attr("filterbank_channel_count", filters)
                      .attr("dct_coefficient_count", d.integer(1, filters));
                }));
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
