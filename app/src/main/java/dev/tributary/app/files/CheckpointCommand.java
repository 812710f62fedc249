package dev.tributary.app.files;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.bundle.BundleEntry;
import dev.tributary.internal.bundle.BundleFiles;
import dev.tributary.internal.bundle.BundleReader;
import dev.tributary.internal.bundle.CheckpointState;
import dev.tributary.internal.file.FilePattern;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.tensor.Tensor;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists what is in a checkpoint. */
@Command(
    name = "checkpoint",
    mixinStandardHelpOptions = true,
    description = {
      "Lists the tensors of a checkpoint: names, types, shapes and statistics of their elements.",
      "Reads the whole checkpoint, and so finds damage anywhere in it."
    })
public final class CheckpointCommand implements Callable<Integer> {
  private static final String INDEX = ".index";

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "DIR|PREFIX",
      description =
          "Folder with checkpoints, of which the latest is listed, or the prefix of the files of"
              + " one checkpoint, such as logs/model.ckpt-100.")
  private Path path;

  @Option(
      names = "--name",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "List only tensors whose names contain this text.")
  private String name;

  @Override
  public Integer call() {
    Path prefix = prefix(path);
    PrintWriter out = spec.commandLine().getOut();
    try (BundleReader checkpoint = BundleReader.open(prefix)) {
      TextTable table =
          new TextTable("name", "type", "shape", "min", "mean", "max", "deviation", "");
      List<String> names = checkpoint.names().stream().filter(n -> n.contains(name)).toList();
      long elements = 0;
      for (String tensor : names) {
        BundleEntry entry = checkpoint.entry(tensor);
        elements += entry.shape().elementCount();
        add(table, checkpoint, tensor, entry);
      }
      out.print(table);
      out.printf(
          Locale.ROOT,
          "%s: %d tensors with %,d elements, %d shard%s%n",
          prefix,
          names.size(),
          elements,
          checkpoint.shardCount(),
          checkpoint.shardCount() == 1 ? "" : "s");
      out.flush();
    }
    return 0;
  }

  private static void add(
      TextTable table, BundleReader checkpoint, String name, BundleEntry entry) {
    String type = entry.type().lowerName();
    String shape = entry.shape().toString();
    if (!entry.type().isSupported()) {
      table.add(name, type, shape, "", "", "", "", "cannot be read here");
      return;
    }
    String slices = entry.slices().isEmpty() ? "" : entry.slices().size() + " slices";
    try (Tensor tensor = checkpoint.read(name)) {
      TensorStatistics.of(tensor)
          .ifPresentOrElse(
              statistics ->
                  table.add(
                      name,
                      type,
                      shape,
                      number(statistics.min(), statistics),
                      number(statistics.mean(), statistics),
                      number(statistics.max(), statistics),
                      number(statistics.deviation(), statistics),
                      statistics.isAllFinite()
                          ? slices
                          : statistics.others() + " not finite " + slices),
              () -> table.add(name, type, shape, "", "", "", "", slices));
    }
  }

  private static String number(double value, TensorStatistics statistics) {
    return statistics.finite() == 0 ? "-" : String.format(Locale.ROOT, "%.6g", value);
  }

  /** The checkpoint that is meant: the latest of a folder, or the one with this prefix. */
  private static Path prefix(Path path) {
    if (path.toString().endsWith(INDEX)) {
      String text = path.toString();
      return Path.of(text.substring(0, text.length() - INDEX.length()));
    }
    if (!Files.isDirectory(path)) {
      return path;
    }
    return CheckpointState.latestCheckpoint(path)
        .orElseThrow(
            () ->
                TributaryException.notFound(
                    "folder %s has no checkpoint that is complete and named by its file '%s'; give"
                        + " one of these prefixes instead: %s",
                    path, CheckpointState.FILE_NAME, prefixesIn(path)));
  }

  private static List<String> prefixesIn(Path folder) {
    return FilePattern.matches(
            FileRoot.anywhere(), BundleFiles.index(folder.resolve("*")).toString())
        .stream()
        .map(file -> file.substring(0, file.length() - INDEX.length()))
        .sorted()
        .toList();
  }
}
