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
   * family ({@code kernel} and {@code kernel.loop}, say).
   */
  private static final Layers LAYERS =
      new Layers(
          List.of(
              List.of("error"),
              List.of("tensor", "file"),
              List.of("record", "image"),
              List.of("bundle", "event", "example"),
              List.of("rendezvous"),
              List.of("op"),
              List.of(
                  "kernel",
                  "kernel.accumulator",
                  "kernel.array",
                  "kernel.comm",
                  "kernel.flow",
                  "kernel.io",
                  "kernel.lookup",
                  "kernel.loop",
                  "kernel.math",
                  "kernel.nn",
                  "kernel.onednn",
                  "kernel.plain",
                  "kernel.queue",
                  "kernel.random",
                  "kernel.resource",
                  "kernel.state",
                  "kernel.summary",
                  "kernel.text",
                  "kernel.training"),
              List.of("graph"),
              List.of("flow"),
              List.of("ops", "graph.wire"),
              List.of("gradients", "plan", "plan.wire"),
              List.of("executor"),
              List.of("rewrite", "placement", "partition"),
              List.of("step"),
              List.of("explain", "session", "session.wire")),
          List.of("bundle", "event", "example", "graph.wire", "plan.wire", "session.wire"));

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

  @Test
  void packages_allSources_areDescribed() {
    assertThat(sources.undescribed()).isEmpty();
  }

  @Test
  void wrongArrows_upwardImport_isReported() {
    Sources upward = sources("tensor", "import dev.tributary.kernel.Kernel;");

    assertThat(LAYERS.wrongArrows(upward)).containsExactly("tensor -> kernel");
  }

  @Test
  void wrongArrows_siblingOfAnotherFamily_isReported() {
    Sources sideways = sources("plan", "import static dev.tributary.gradients.Gradients.of;");

    assertThat(LAYERS.wrongArrows(sideways)).containsExactly("plan -> gradients");
  }

  @Test
  void wrongArrows_siblingOfTheSameFamily_isAllowed() {
    assertThat(LAYERS.wrongArrows(sources("kernel.loop", "import dev.tributary.kernel.Backend;")))
        .isEmpty();
  }

  @Test
  void wrongArrows_fullNameInCode_isReported() {
    Sources inline = sources("graph", "class A { dev.tributary.graph.wire.TensorProtos p; }");

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
    Sources leaking = sources("kernel", "import org.tensorflow.proto.NodeDef;");

    assertThat(LAYERS.wrongUsersOfProtobuf(leaking)).containsExactly("kernel");
  }

  @Test
  void cycle_twoPackagesOfOneFamily_isReported() {
    Sources round = sources("kernel", "import dev.tributary.kernel.plain.Plain;");
    round.add("kernel.plain", "A.java", "import dev.tributary.kernel.Backend;");

    assertThat(round.cycle()).containsExactly("kernel", "kernel.plain", "kernel");
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
