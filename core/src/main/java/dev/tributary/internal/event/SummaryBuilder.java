package dev.tributary.internal.event;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.image.Pixels;
import dev.tributary.internal.image.PngImages;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.HashSet;
import java.util.Set;
import org.tensorflow.proto.Summary;
import org.tensorflow.proto.SummaryMetadata;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

/** Puts together what a summary op gives: the bytes of a Summary. Confined to one thread. */
public final class SummaryBuilder {
  private static final int MOST_CONTENT = Integer.MAX_VALUE - (1 << 16);

  private final Summary.Builder summary = Summary.newBuilder();
  private final Set<String> tags = new HashSet<>();

  public SummaryBuilder scalar(String tag, float value) {
    summary.addValueBuilder().setTag(tag).setSimpleValue(value);
    return this;
  }

  public SummaryBuilder histogram(String tag, Histogram histogram) {
    summary.addValueBuilder().setTag(tag).setHisto(histogram.toProto());
    return this;
  }

  public SummaryBuilder image(String tag, Pixels pixels) {
    summary
        .addValueBuilder()
        .setTag(tag)
        .setImage(
            Summary.Image.newBuilder()
                .setHeight(pixels.height())
                .setWidth(pixels.width())
                .setColorspace(pixels.channels())
                .setEncodedImageString(ByteString.copyFrom(PngImages.encode(pixels, -1))));
    return this;
  }

  /** Adds sound, as a WAV file. */
  public SummaryBuilder audio(
      String tag, float sampleRate, int channels, long frames, byte[] wavFile) {
    summary
        .addValueBuilder()
        .setTag(tag)
        .setAudio(
            Summary.Audio.newBuilder()
                .setSampleRate(sampleRate)
                .setNumChannels(channels)
                .setLengthFrames(frames)
                .setContentType("audio/wav")
                .setEncodedAudioString(ByteString.copyFrom(wavFile)));
    return this;
  }

  /** Adds a tensor under the name of the node that gives it. */
  public SummaryBuilder tensorOf(String node, Tensor tensor) {
    summary.addValueBuilder().setNodeName(node).setTensor(proto(tensor));
    return this;
  }

  /** Adds text, which TensorBoard takes for Markdown. */
  public SummaryBuilder text(String tag, String markdown) {
    summary
        .addValueBuilder()
        .setTag(tag)
        .setMetadata(SummaryPlugin.TEXT.toProto())
        .setTensor(
            TensorProto.newBuilder()
                .setDtypeValue(DataType.STRING.number())
                .setTensorShape(TensorShapeProto.getDefaultInstance())
                .addStringVal(ByteString.copyFromUtf8(markdown)));
    return this;
  }

  /** Adds a tensor without metadata. */
  public SummaryBuilder tensor(String tag, Tensor tensor) {
    summary.addValueBuilder().setTag(tag).setTensor(proto(tensor));
    return this;
  }

  /**
   * Adds a tensor.
   *
   * @param metadata the bytes of a SummaryMetadata, which tells who shows it
   */
  public SummaryBuilder tensor(String tag, Tensor tensor, byte[] metadata) {
    Summary.Value.Builder value = summary.addValueBuilder().setTag(tag).setTensor(proto(tensor));
    try {
      value.setMetadata(SummaryMetadata.parseFrom(metadata));
    } catch (InvalidProtocolBufferException e) {
      throw unreadable("serialized_summary_metadata", "SummaryMetadata", e);
    }
    return this;
  }

  /** Adds all values of another summary; no two of those merged may have one tag. */
  public SummaryBuilder merge(byte[] other) {
    Summary parsed;
    try {
      parsed = Summary.parseFrom(other);
    } catch (InvalidProtocolBufferException e) {
      throw unreadable("one of the summary inputs", "Summary", e);
    }
    for (Summary.Value value : parsed.getValueList()) {
      if (!value.getTag().isEmpty() && !tags.add(value.getTag())) {
        throw TributaryException.invalidArgument(
            "Duplicate tag %s found in summary inputs", value.getTag());
      }
      summary.addValue(value);
    }
    return this;
  }

  public byte[] toBytes() {
    return summary.build().toByteArray();
  }

  public Summary build() {
    return summary.build();
  }

  private static TensorProto proto(Tensor tensor) {
    TensorProto.Builder proto = TensorProto.newBuilder().setDtypeValue(tensor.type().number());
    proto.getTensorShapeBuilder();
    for (long size : tensor.shape().toArray()) {
      proto.getTensorShapeBuilder().addDimBuilder().setSize(size);
    }
    if (tensor.type() == DataType.STRING) {
      for (Object string : tensor.objects()) {
        proto.addStringVal(ByteString.copyFrom((byte[]) string));
      }
    } else if (tensor.type().isObject() || tensor.byteSize() > MOST_CONTENT) {
      throw TributaryException.invalidArgument(
          "a %s tensor of shape %s does not fit into a summary",
          tensor.type().lowerName(), tensor.shape());
    } else {
      proto.setTensorContent(
          ByteString.copyFrom(Memory.bytes(tensor.storage().address(), (int) tensor.byteSize())));
    }
    return proto.build();
  }

  private static TributaryException unreadable(
      String what, String message, InvalidProtocolBufferException cause) {
    return new TributaryException(
        ErrorCode.INVALID_ARGUMENT,
        "Could not parse " + what + " as a " + message + ": " + cause.getMessage(),
        cause);
  }
}
