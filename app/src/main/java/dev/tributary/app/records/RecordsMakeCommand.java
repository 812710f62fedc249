package dev.tributary.app.records;

import dev.tributary.app.launch.ClusterArguments;
import dev.tributary.app.launch.OptionRange;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.AbandonedParts;
import dev.tributary.record.Compression;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes record files of other files. */
@Command(
    name = "make",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Makes TFRecord files of Examples, and a manifest that lists them.",
      "SOURCE is a CSV file (a feature for each column), a folder with a folder of images for each"
          + " class, or a file of images in MNIST's IDX format.",
      "Files appear when all are whole; a run that is ended before leaves none.",
      "With a cluster, run the command for each of its tasks; the last one writes the manifest."
    })
public final class RecordsMakeCommand implements Callable<Integer> {
  private static final int MOST_WORKERS = 1024;
  private static final int MOST_SHARDS = 10_000;

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "SOURCE", description = "What the records are made of.")
  private Path source;

  @Parameters(
      index = "1",
      paramLabel = "PREFIX",
      description = {
        "Where the files go: data/train makes",
        "data/train-00000-of-00002.tfrecord and so on, and data/train.manifest.json."
      })
  private Path prefix;

  @Option(
      names = "--shards",
      paramLabel = "N",
      description = "Number of files. As many as there are workers by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Integer> shards = Optional.empty();

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "Files that this process makes at the same time. One for each core by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Integer> workers = Optional.empty();

  @Option(names = "--gzip", description = "Pack the files.")
  private boolean gzip;

  @Option(names = "--overwrite", description = "Replace files that exist.")
  private boolean overwrite;

  @Option(
      names = "--delimiter",
      paramLabel = "CHAR",
      defaultValue = ",",
      description = "What stands between the fields of a CSV file.")
  private char delimiter;

  @Option(
      names = "--no-header",
      description = "The first line of the CSV file is a row, not the names of the columns.")
  private boolean noHeader;

  @Option(
      names = "--labels",
      paramLabel = "FILE",
      description = "Labels of an IDX file's images, if MNIST's names do not tell.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Path> labels = Optional.empty();

  @Mixin private ClusterArguments cluster = new ClusterArguments();
  @Mixin private SharedMaking sharing = new SharedMaking();

  @Override
  public Integer call() throws InterruptedException {
    int threads =
        workers
            .map(n -> (int) OptionRange.require("--workers", n, 1, MOST_WORKERS))
            .orElse(Runtime.getRuntime().availableProcessors());
    SharedMaking.Share share = sharing.of(cluster.find());
    int files =
        shards
            .map(n -> (int) OptionRange.require("--shards", n, 1, MOST_SHARDS))
            .orElse(threads * share.tasks());
    RecordSet set = new RecordSet(prefix, files);
    List<ShardWriting.Target> own = new ArrayList<>();
    for (int i = share.task(); i < files; i += share.tasks()) {
      own.add(new ShardWriting.Target(i, set.file(i)));
    }
    requireFree(set, own);
    ExampleSource examples = ExampleSource.at(source, labels, delimiter, !noHeader);
    AbandonedParts.removeOld(set.folder());
    Compression compression = gzip ? Compression.GZIP : Compression.NONE;
    long count = own.stream().mapToLong(t -> set.count(t.shard(), examples.count())).sum();
    if (!own.isEmpty()) {
      try (RecordsProgress progress = new RecordsProgress("records", count)) {
        new ShardWriting(examples, files, compression, progress)
            .write(own, Math.min(threads, own.size()));
      }
    }
    boolean isWhole = set.isWhole();
    if (isWhole) {
      set.writeManifest(examples, compression);
    }
    report(set, own.size(), count, isWhole);
    return 0;
  }

  private void requireFree(RecordSet set, List<ShardWriting.Target> own) {
    for (ShardWriting.Target target : own) {
      if (!overwrite && Files.exists(target.path())) {
        throw new TributaryException(
            ErrorCode.ALREADY_EXISTS,
            target.path() + " exists: give --overwrite, or another prefix");
      }
    }
  }

  private void report(RecordSet set, int files, long count, boolean isWhole) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf("%d records in %d files, %s%n", count, files, set.pattern());
    out.println(
        isWhole
            ? "manifest " + set.manifest()
            : "other tasks are not ready; the last one writes " + set.manifest());
    out.flush();
  }
}
