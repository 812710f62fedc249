package dev.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Packages of the cluster see only those that they stand on. A new package fails until it is here.
 */
class ClusterLayeringTest {
  private static final Path ROOT = Path.of("src/main/java");
  private static final Map<String, Set<String>> ALLOWED =
      Map.of(
          "cluster.spec", Set.of(),
          "cluster.certs", Set.of("cluster.spec"),
          "cluster.internal.protocol", Set.of("cluster.spec"),
          "cluster.internal.worker", Set.of("cluster.spec", "cluster.internal.protocol"),
          "cluster.internal.master", Set.of("cluster.spec", "cluster.internal.protocol"),
          "cluster.internal.stream", Set.of("cluster.internal.protocol"),
          "cluster.internal.rpc",
              Set.of(
                  "cluster.spec",
                  "cluster.internal.protocol",
                  "cluster.internal.stream",
                  "cluster.internal.rpc.message"),
          "cluster.internal.session",
              Set.of("cluster.spec", "cluster.internal.protocol", "cluster.internal.rpc"),
          "cluster.server",
              Set.of(
                  "cluster.spec",
                  "cluster.internal.protocol",
                  "cluster.internal.worker",
                  "cluster.internal.master",
                  "cluster.internal.stream",
                  "cluster.internal.rpc",
                  "cluster.internal.session"),
          "cluster.internal.taskserver", Set.of("cluster.server", "cluster.spec"));

  private static Sources sources;

  @BeforeAll
  static void readSources() throws IOException {
    sources = Sources.under(ROOT);
  }

  @Test
  void packages_allSources_seeOnlyWhatTheyStandOn() {
    List<String> wrong = new ArrayList<>();
    for (String from : sources.packages()) {
      for (String to : sources.importsOf(from)) {
        if (to.startsWith("cluster.") && !ALLOWED.getOrDefault(from, Set.of()).contains(to)) {
          wrong.add(from + " -> " + to);
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void packages_allSources_areKnownAndDescribed() {
    assertThat(sources.packages()).containsExactlyInAnyOrderElementsOf(ALLOWED.keySet());
    assertThat(sources.undescribed()).isEmpty();
  }

  @Test
  void grpc_allSources_isImportedByRpcOnly() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      List<Path> users =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(ClusterLayeringTest::usesGrpc)
              .toList();
      assertThat(users)
          .isNotEmpty()
          .allMatch(file -> file.getParent().endsWith("cluster/internal/rpc"));
    }
  }

  @Test
  void bouncyCastle_allSources_isImportedByCertsOnly() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      List<Path> users =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> imports(file, "org.bouncycastle."))
              .toList();
      assertThat(users).isNotEmpty().allMatch(file -> file.getParent().endsWith("cluster/certs"));
    }
  }

  private static boolean usesGrpc(Path file) {
    return imports(file, "io.grpc.") || imports(file, "io.netty.");
  }

  private static boolean imports(Path file, String prefix) {
    try {
      return Files.readString(file).contains("import " + prefix);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
