package dev.tributary.internal.kernel.io;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Sound as WAV files of 16-bit samples, and as floats from -1 to 1, a row for each moment. */
public final class WavFiles {
  private static final float SCALE = 1 << 15;
  private static final int HEADER_BYTES = 44;
  private static final int PCM = 1;

  /** The most samples of an output: a short file may be padded to many. */
  private static final long MOST_SAMPLES = 1L << 28;

  private WavFiles() {}

  // ---- reading ----

  /**
   * @param samples where the first sample is in the file
   * @param moments rows of samples, one for each channel
   */
  private record Sound(ByteBuffer file, int samples, int moments, int channels, int sampleRate) {
    float at(int moment, int channel) {
      return file.getShort(samples + 2 * (moment * channels + channel)) / SCALE;
    }
  }

  public static Kernel decode(KernelNode node) {
    int channels = node.attributes().int32("desired_channels");
    int moments = node.attributes().int32("desired_samples");
    return c -> decode(c, channels, moments);
  }

  private static void decode(KernelContext c, int wantedChannels, int wantedMoments) {
    IndexTensors.requireScalar(c.input(0), "contents");
    Sound sound = parse((byte[]) c.input(0).objects()[0]);
    int channels = wantedChannels == -1 ? sound.channels : wantedChannels;
    int moments = wantedMoments == -1 ? sound.moments : wantedMoments;
    if (channels < 0 || moments < 0 || (long) channels * moments > MOST_SAMPLES) {
      throw TributaryException.invalidArgument(
          "desired_channels and desired_samples must be at least 0 and make at most %d samples,"
              + " got %d and %d",
          MOST_SAMPLES, wantedChannels, wantedMoments);
    }
    Tensor audio = c.allocateOutput(0, Shape.of(moments, channels));
    long address = audio.storage().address();
    for (int i = 0; i < moments; i++) {
      for (int k = 0; k < channels; k++) {
        float value = i < sound.moments ? sound.at(i, Math.min(k, sound.channels - 1)) : 0;
        Memory.putFloat(address + 4 * ((long) i * channels + k), value);
      }
    }
    IndexTensors.setScalar(c, 1, sound.sampleRate);
  }

  private static Sound parse(byte[] bytes) {
    ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    requireText(file, "RIFF");
    requireBytes(file, Integer.BYTES);
    file.getInt();
    requireText(file, "WAVE");
    requireText(file, "fmt ");
    requireBytes(file, Integer.BYTES);
    int formatBytes = file.getInt();
    if (formatBytes != 16 && formatBytes != 18) {
      throw TributaryException.invalidArgument(
          "Bad format chunk size for WAV: Expected 16 or 18, but got %d", formatBytes);
    }
    requireBytes(file, formatBytes);
    int start = file.position();
    int format = file.getShort();
    int channels = Short.toUnsignedInt(file.getShort());
    int sampleRate = file.getInt();
    int bytesPerSecond = file.getInt();
    int bytesPerMoment = Short.toUnsignedInt(file.getShort());
    int bits = file.getShort();
    file.position(start + formatBytes);
    if (format != PCM || bits != 16 || channels == 0) {
      throw TributaryException.invalidArgument(
          "Can only read 16-bit PCM WAV files, got format %d with %d bits and %d channels",
          format, bits, channels);
    }
    if (bytesPerMoment != 2 * channels || bytesPerSecond != bytesPerMoment * sampleRate) {
      throw TributaryException.invalidArgument(
          "Bad bytes per sample or per second in WAV header: %d and %d, of %d channels and %d"
              + " samples a second",
          bytesPerMoment, bytesPerSecond, channels, sampleRate);
    }
    while (file.hasRemaining()) {
      requireBytes(file, 8);
      String name = text(file);
      int size = file.getInt();
      requireBytes(file, size);
      if (name.equals("data")) {
        return new Sound(file, file.position(), size / bytesPerMoment, channels, sampleRate);
      }
      file.position(file.position() + size);
    }
    throw TributaryException.invalidArgument("No data chunk found in WAV");
  }

  private static void requireText(ByteBuffer file, String wanted) {
    requireBytes(file, wanted.length());
    String got = text(file);
    if (!got.equals(wanted)) {
      throw TributaryException.invalidArgument(
          "Header mismatch: Expected %s but found %s", wanted, got);
    }
  }

  private static String text(ByteBuffer file) {
    byte[] name = new byte[4];
    file.get(name);
    return new String(name, StandardCharsets.ISO_8859_1);
  }

  private static void requireBytes(ByteBuffer file, int count) {
    if (count < 0 || file.remaining() < count) {
      throw TributaryException.invalidArgument(
          "Data too short when trying to read WAV: wanted %s bytes at %d of %d",
          Integer.toUnsignedString(count), file.position(), file.limit());
    }
  }

  // ---- writing ----

  public static void encode(KernelContext c) {
    Tensor audio = c.input(0);
    IndexTensors.requireScalar(c.input(1), "sample_rate");
    int sampleRate = (int) c.input(1).getIndex(0);
    if (audio.rank() != 2) {
      throw TributaryException.invalidArgument(
          "audio must be 2-dimensional, got shape %s", audio.shape());
    }
    long channels = audio.shape().size(1);
    if (channels == 0 || channels > Short.MAX_VALUE || sampleRate <= 0) {
      throw TributaryException.invalidArgument(
          "a WAV file has channels and a positive sample_rate, got %d channels and %d",
          channels, sampleRate);
    }
    if (audio.elementCount() > (Integer.MAX_VALUE - HEADER_BYTES) / 2) {
      throw TributaryException.invalidArgument(
          "audio of shape %s is too long for a WAV file", audio.shape());
    }
    int dataBytes = 2 * (int) audio.elementCount();
    ByteBuffer file = ByteBuffer.allocate(HEADER_BYTES + dataBytes).order(ByteOrder.LITTLE_ENDIAN);
    file.put("RIFF".getBytes(StandardCharsets.ISO_8859_1)).putInt(HEADER_BYTES - 8 + dataBytes);
    file.put("WAVEfmt ".getBytes(StandardCharsets.ISO_8859_1)).putInt(16);
    file.putShort((short) PCM).putShort((short) channels).putInt(sampleRate);
    file.putInt((int) (sampleRate * 2 * channels)).putShort((short) (2 * channels));
    file.putShort((short) 16);
    file.put("data".getBytes(StandardCharsets.ISO_8859_1)).putInt(dataBytes);
    for (long i = 0; i < audio.elementCount(); i++) {
      file.putShort(sample(audio.getFloat(i)));
    }
    c.allocateOutput(0, Shape.scalar()).objects()[0] = file.array();
  }

  /** The nearest sample; one in the middle is rounded away from zero. */
  private static short sample(float value) {
    double scaled = value * SCALE;
    double rounded = Math.signum(scaled) * Math.floor(Math.abs(scaled) + 0.5);
    return (short) Math.max(Short.MIN_VALUE, Math.min(Short.MAX_VALUE, rounded));
  }
}
