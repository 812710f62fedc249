package dev.tributary.internal.event;

import org.tensorflow.proto.DataClass;
import org.tensorflow.proto.SummaryMetadata;

/** The part of TensorBoard that shows a summary of a tensor. */
public enum SummaryPlugin {
  /** None: the tensor is there for programs to read. */
  NONE(""),
  /** Strings are Markdown: one text, a list, or a table. */
  TEXT("text");

  private final String pluginName;

  SummaryPlugin(String pluginName) {
    this.pluginName = pluginName;
  }

  /** The bytes of a SummaryMetadata, as summary ops take it. */
  public byte[] metadata() {
    return toProto().toByteArray();
  }

  SummaryMetadata toProto() {
    SummaryMetadata.Builder metadata =
        SummaryMetadata.newBuilder().setDataClass(DataClass.DATA_CLASS_TENSOR);
    if (this != NONE) {
      metadata.getPluginDataBuilder().setPluginName(pluginName);
    }
    return metadata.build();
  }
}
