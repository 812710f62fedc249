package dev.tributary.app;

import dev.tributary.error.TributaryException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Does what a cluster does in its first seconds. The {@code tributary} script runs it with the
 * flags that make Java keep what it has learnt meanwhile, and says where that is.
 */
@Command(
    name = "cache",
    mixinStandardHelpOptions = true,
    description = {
      "Prepares a cache of classes and compiler profiles that makes later starts",
      "faster. From JDK 25 on it is Java's AOT cache, before that an archive of",
      "classes. The first run of any command prepares it by itself; this one does it",
      "now, again, and says where it is.",
      "",
      "In a program of your own, do a short run of it with",
      "-XX:AOTCacheOutput=FILE, and start it with -XX:AOTCache=FILE from then on."
    })
final class CacheCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try {
      Path folder = Files.createTempDirectory("tributary-cache");
      try {
        new StartupExercise(folder).run();
      } finally {
        remove(folder);
      }
    } catch (IOException e) {
      throw TributaryException.failedPrecondition(
          "cannot write a checkpoint into the folder for temporary files (%s): %s",
          System.getProperty("java.io.tmpdir"), e.getMessage());
    }
    out.println("did what a cluster does in its first seconds");
    out.flush();
    return 0;
  }

  private static void remove(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> files = Files.walk(folder)) {
      all = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : all) {
      Files.delete(file);
    }
  }
}
