package dev.tributary.app.records;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.app.files.TextTable;
import dev.tributary.app.launch.OptionRange;
import dev.tributary.error.TributaryException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.tensorflow.proto.Example;
import org.tensorflow.proto.Feature;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows records. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = "Prints the Examples in record files, packed or not.")
public final class RecordsShowCommand implements Callable<Integer> {
  private static final int MOST_VALUES = 8;
  private static final int MOST_TEXT = 60;
  private static final int MOST_BYTES = 12;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "Record files, or manifests of 'records make'.")
  private List<Path> files;

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "3",
      description = "Number of records.")
  private int count;

  @Option(
      names = "--skip",
      paramLabel = "N",
      defaultValue = "0",
      description = "Number of records to leave out before them.")
  private long skip;

  @Override
  public Integer call() {
    OptionRange.require("--count", count, 1, Integer.MAX_VALUE);
    OptionRange.require("--skip", skip, 0, Integer.MAX_VALUE);
    PrintWriter out = spec.commandLine().getOut();
    RecordFiles.visit(RecordFiles.required(RecordFiles.of(files)), new Printing(out));
    out.flush();
    return 0;
  }

  private final class Printing implements RecordFiles.Visitor {
    private final PrintWriter out;
    private long seen;

    Printing(PrintWriter out) {
      this.out = out;
    }

    @Override
    public boolean record(Path file, long number, long offset, byte[] content) {
      if (seen++ >= skip) {
        out.printf("%s, record %d at offset %d, %d bytes%n", file, number, offset, content.length);
        out.print(text(content));
      }
      return seen < skip + count;
    }

    @Override
    public void damage(Path file, TributaryException damage) {
      out.flush();
      throw damage;
    }
  }

  private static String text(byte[] content) {
    Example example;
    try {
      example = Example.parseFrom(content);
    } catch (InvalidProtocolBufferException e) {
      return "  not an Example: " + bytes(ByteString.copyFrom(content)) + System.lineSeparator();
    }
    TextTable table = new TextTable();
    new TreeMap<>(example.getFeatures().getFeatureMap())
        .forEach((name, feature) -> table.add("", name, kind(feature), values(feature)));
    return table.toString();
  }

  private static String kind(Feature feature) {
    return switch (feature.getKindCase()) {
      case INT64_LIST -> "int64";
      case FLOAT_LIST -> "float";
      case BYTES_LIST -> "bytes";
      case KIND_NOT_SET -> "none";
    };
  }

  private static String values(Feature feature) {
    return switch (feature.getKindCase()) {
      case INT64_LIST ->
          list(
              feature.getInt64List().getValueList().stream().map(String::valueOf),
              feature.getInt64List().getValueCount());
      case FLOAT_LIST ->
          list(
              feature.getFloatList().getValueList().stream().map(String::valueOf),
              feature.getFloatList().getValueCount());
      case BYTES_LIST ->
          list(
              feature.getBytesList().getValueList().stream().map(RecordsShowCommand::bytes),
              feature.getBytesList().getValueCount());
      case KIND_NOT_SET -> "";
    };
  }

  private static String list(Stream<String> values, int count) {
    StringJoiner shown = new StringJoiner(", ", count == 1 ? "" : "[", count == 1 ? "" : "]");
    values.limit(MOST_VALUES).forEach(shown::add);
    if (count > MOST_VALUES) {
      shown.add("... " + count + " values");
    }
    return shown.toString();
  }

  /** Text in quotes; what is not text in hexadecimal. */
  private static String bytes(ByteString value) {
    String text = value.isValidUtf8() ? value.toStringUtf8() : "";
    boolean isText = value.isValidUtf8() && text.chars().noneMatch(Character::isISOControl);
    if (isText) {
      return text.length() <= MOST_TEXT
          ? "\"" + text + "\""
          : "\"" + text.substring(0, MOST_TEXT) + "\"... " + value.size() + " bytes";
    }
    StringJoiner hex = new StringJoiner(" ");
    for (int i = 0; i < Math.min(value.size(), MOST_BYTES); i++) {
      hex.add(String.format("%02x", value.byteAt(i)));
    }
    return value.size() + " bytes: " + hex + (value.size() > MOST_BYTES ? " ..." : "");
  }
}
