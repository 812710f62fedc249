package dev.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Packages see only those below them. A new package fails here until it has its place in {@link
 * #LAYERS}.
 */
class LayeringTest {
  /**
   * Packages from the bottom up. One sees all lower layers and, in its own layer, only its own
   * family ({@code internal.kernel} and {@code internal.kernel.loop}, say).
   */
  private static final Layers LAYERS =
      new Layers(
          List.of(
              List.of("error", "trace", "internal.time"),
              List.of("internal.concurrent", "internal.memory", "internal.file"),
              List.of("tensor", "security"),
              List.of("internal.tensor", "internal.image"),
              List.of("internal.event"),
              List.of("record"),
              List.of(
                  "internal.bundle", "internal.example", "internal.pipeline", "internal.scalars"),
              List.of("internal.rendezvous"),
              List.of("op"),
              List.of(
                  "internal.kernel",
                  "internal.kernel.accumulator",
                  "internal.kernel.array",
                  "internal.kernel.comm",
                  "internal.kernel.data",
                  "internal.kernel.flow",
                  "internal.kernel.image",
                  "internal.kernel.io",
                  "internal.kernel.lookup",
                  "internal.kernel.loop",
                  "internal.kernel.math",
                  "internal.kernel.nn",
                  "internal.kernel.onednn",
                  "internal.kernel.plain",
                  "internal.kernel.quantize",
                  "internal.kernel.queue",
                  "internal.kernel.ragged",
                  "internal.kernel.random",
                  "internal.kernel.resource",
                  "internal.kernel.sparse",
                  "internal.kernel.state",
                  "internal.kernel.summary",
                  "internal.kernel.text",
                  "internal.kernel.training",
                  "internal.kernel.variant"),
              List.of("internal.op"),
              List.of("internal.wire", "graph"),
              List.of(
                  "internal.collective", "internal.flow", "internal.gradient", "internal.library"),
              List.of("ops", "graph.wire"),
              List.of("gradients", "internal.plan", "internal.plan.wire"),
              List.of("internal.function"),
              List.of("internal.executor"),
              List.of("internal.rewrite", "internal.placement", "internal.partition"),
              List.of("internal.step"),
              List.of("internal.explain", "session", "internal.session.wire")),
          List.of(
              "internal.event",
              "record",
              "internal.bundle",
              "internal.example",
              "internal.pipeline",
              "internal.scalars",
              "internal.wire",
              "graph.wire",
              "internal.plan.wire",
              "internal.session.wire"));

  private static Sources sources;

  @BeforeAll
  static void readSources() throws IOException {
    sources = Sources.under(Path.of("src/main/java"));
  }

  @Test
  void packages_allSources_seeOnlyWhatIsBelow() {
    assertThat(sources.packages()).contains("error", "tensor", "graph.wire");
    assertThat(LAYERS.wrongArrows(sources)).isEmpty();
  }

  @Test
  void packages_allSources_haveNoCycle() {
    assertThat(sources.cycle()).isEmpty();
  }

  @Test
  void protobuf_allSources_isImportedByWirePackagesOnly() {
    assertThat(sources.usersOfProtobuf()).contains("graph.wire");
    assertThat(LAYERS.wrongUsersOfProtobuf(sources)).isEmpty();
  }

  /** A kernel that opens files, or makes paths, by itself goes past the folder of the server. */
  @Test
  void files_allKernels_areOpenedByTheFileRoot() {
    assertThat(sources.usersOfFiles()).contains("internal.file");
    assertThat(sources.usersOfFiles()).noneMatch(user -> user.startsWith("internal.kernel"));
  }

  @Test
  void usersOfFiles_kernelsThatOpenThem_areReported() {
    for (String code :
        List.of(
            "import java.nio.file.Files;",
            "import java.nio.file.*;",
            "import java.nio.channels.FileChannel;",
            "import java.nio.channels.AsynchronousFileChannel;",
            "import java.io.File;",
            "import java.io.*;",
            "new java.io.FileInputStream(name)",
            "new java.io.RandomAccessFile(name)",
            "import java.nio.file.Path; Path.of(name)",
            "import java.nio.file.Paths;")) {
      assertThat(sources("internal.kernel", code).usersOfFiles())
          .as(code)
          .containsExactly("internal.kernel");
    }
    assertThat(
            sources("internal.kernel", "import java.nio.file.Path; import java.io.IOException;")
                .usersOfFiles())
        .isEmpty();
  }

  @Test
  void packages_allSources_areDescribed() {
    assertThat(sources.undescribed()).isEmpty();
  }

  @Test
  void wrongArrows_upwardImport_isReported() {
    Sources upward = sources("tensor", "import dev.tributary.internal.kernel.Kernel;");

    assertThat(LAYERS.wrongArrows(upward)).containsExactly("tensor -> internal.kernel");
  }

  @Test
  void wrongArrows_siblingOfAnotherFamily_isReported() {
    Sources sideways =
        sources("internal.plan", "import static dev.tributary.gradients.Gradients.of;");

    assertThat(LAYERS.wrongArrows(sideways)).containsExactly("internal.plan -> gradients");
  }

  @Test
  void wrongArrows_siblingOfTheSameFamily_isAllowed() {
    assertThat(
            LAYERS.wrongArrows(
                sources("internal.kernel.loop", "import dev.tributary.internal.kernel.Backend;")))
        .isEmpty();
  }

  @Test
  void wrongArrows_fullNameInCode_isReported() {
    Sources inline = sources("graph", "class A { dev.tributary.graph.wire.GraphDefs p; }");

    assertThat(LAYERS.wrongArrows(inline)).containsExactly("graph -> graph.wire");
  }

  @Test
  void wrongArrows_nameInComment_isIgnored() {
    Sources commented =
        sources("tensor", "/** {@link dev.tributary.session.Session} */ // dev.tributary.op.Op");

    assertThat(LAYERS.wrongArrows(commented)).isEmpty();
  }

  @Test
  void wrongArrows_unlistedPackage_isReported() {
    assertThat(LAYERS.wrongArrows(sources("novelty", ""))).containsExactly("novelty has no layer");
  }

  @Test
  void wrongUsersOfProtobuf_kernelWithMessage_isReported() {
    Sources leaking = sources("internal.kernel", "import org.tensorflow.proto.NodeDef;");

    assertThat(LAYERS.wrongUsersOfProtobuf(leaking)).containsExactly("internal.kernel");
  }

  @Test
  void cycle_twoPackagesOfOneFamily_isReported() {
    Sources round = sources("internal.kernel", "import dev.tributary.internal.kernel.plain.Plain;");
    round.add("internal.kernel.plain", "A.java", "import dev.tributary.internal.kernel.Backend;");

    assertThat(round.cycle())
        .containsExactly("internal.kernel", "internal.kernel.plain", "internal.kernel");
  }

  @Test
  void undescribed_packageWithoutInfo_isReported() {
    assertThat(sources("tensor", "class A {}").undescribed()).containsExactly("tensor");
  }

  private static Sources sources(String inPackage, String text) {
    Sources made = new Sources();
    made.add(inPackage, "A.java", text);
    return made;
  }
}
