package dev.tributary.app.records;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.error.TributaryException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.tensorflow.proto.Example;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Finds damaged records. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Reads record files and names each damaged record, with its file and offset.",
      "The exit code is 1 if there is one, if a file is missing, or if it has not as many records"
          + " as its manifest says."
    })
public final class RecordsVerifyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "Record files, or manifests of 'records make'.")
  private List<Path> files;

  @Option(names = "--examples", description = "Also name records that are not Examples.")
  private boolean examples;

  @Override
  public Integer call() {
    Map<Path, Optional<Long>> all = RecordFiles.withCounts(files);
    Checking checking = new Checking(spec.commandLine().getOut(), all);
    for (Path file : all.keySet()) {
      if (Files.isReadable(file) && !Files.isDirectory(file)) {
        RecordFiles.visit(List.of(file), checking);
      } else {
        checking.wrong(file, "there is no record file " + file);
      }
    }
    return checking.finish();
  }

  private final class Checking implements RecordFiles.Visitor {
    private final PrintWriter out;
    private final Map<Path, Optional<Long>> counts;
    private final Set<Path> bad = new HashSet<>();
    private long good;
    private long problems;

    Checking(PrintWriter out, Map<Path, Optional<Long>> counts) {
      this.out = out;
      this.counts = counts;
    }

    @Override
    public boolean record(Path file, long number, long offset, byte[] content) {
      if (examples && !isExample(content)) {
        wrong(
            file,
            "record file " + file + " at offset " + offset + ": the record is not an Example");
      } else {
        good++;
      }
      return true;
    }

    @Override
    public void damage(Path file, TributaryException damage) {
      wrong(file, damage.getMessage());
    }

    @Override
    public void end(Path file, long records) {
      long wanted = counts.get(file).orElse(records);
      if (records != wanted && !bad.contains(file)) {
        wrong(
            file,
            "record file " + file + " has " + records + " records, its manifest says " + wanted);
      }
    }

    void wrong(Path file, String problem) {
      problems++;
      bad.add(file);
      out.println(problem);
    }

    int finish() {
      out.printf(
          "%d good records; %s in %d of %d files%n",
          good, problems == 1 ? "1 problem" : problems + " problems", bad.size(), counts.size());
      out.flush();
      return problems == 0 ? 0 : 1;
    }
  }

  private static boolean isExample(byte[] content) {
    try {
      Example.parseFrom(content);
      return true;
    } catch (InvalidProtocolBufferException e) {
      return false;
    }
  }
}
