package dev.tributary.app.records;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.app.files.TextTable;
import dev.tributary.error.TributaryException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.tensorflow.proto.Example;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Counts what is in records. */
@Command(
    name = "stats",
    mixinStandardHelpOptions = true,
    description = {
      "Prints for each feature of the Examples in record files how many have it, with how many"
          + " values, and the least, largest and mean value.",
      "For bytes these are lengths."
    })
public final class RecordsStatsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "Record files, or manifests of 'records make'.")
  private List<Path> files;

  @Override
  public Integer call() {
    List<Path> all = RecordFiles.required(RecordFiles.of(files));
    Counting counting = new Counting();
    RecordFiles.visit(all, counting);
    TextTable table = new TextTable();
    table.add("feature", "kind", "records", "values", "min", "max", "mean");
    counting.features.forEach((name, feature) -> table.add(feature.row(name)));
    PrintWriter out = spec.commandLine().getOut();
    out.print(table);
    out.printf("%d records, %d bytes, in %d files%n", counting.records, counting.bytes, all.size());
    if (counting.others > 0) {
      out.printf("%d records are not Examples%n", counting.others);
    }
    out.flush();
    return 0;
  }

  private static final class Counting implements RecordFiles.Visitor {
    final SortedMap<String, FeatureStatistics> features = new TreeMap<>();
    long records;
    long bytes;
    long others;

    @Override
    public boolean record(Path file, long number, long offset, byte[] content) {
      records++;
      bytes += content.length;
      try {
        Example.parseFrom(content)
            .getFeatures()
            .getFeatureMap()
            .forEach(
                (name, feature) ->
                    features.computeIfAbsent(name, n -> new FeatureStatistics()).add(feature));
      } catch (InvalidProtocolBufferException e) {
        others++;
      }
      return true;
    }

    @Override
    public void damage(Path file, TributaryException damage) {
      throw damage;
    }
  }
}
