package dev.tributary.cluster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.ops.Ops;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.testing.NoLeaks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file ops of callers keep to the folder that the server was given. */
@NoLeaks
@Timeout(120)
class FileRootTest {
  private static final SessionOptions OVER_THE_WIRE =
      SessionOptions.defaults().withCluster(ClusterOptions.defaults().withoutShortCut());

  @TempDir private Path folder;
  private final Ops tf = Ops.create();

  @AfterEach
  void close() {
    tf.graph().close();
  }

  @Test
  void write_insideTheFolder_isDone() throws IOException {
    Path root = Files.createDirectory(folder.resolve("root"));

    run(root, write("sub/file"));

    assertThat(Files.readString(root.resolve("sub/file"))).isEqualTo("text");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../outside", "sub/../../outside", "ABSOLUTE"})
  void write_outsideOfTheFolder_isDenied(String name) throws IOException {
    Path root = Files.createDirectory(folder.resolve("root"));
    Path outside = folder.resolve("outside");
    String file = name.equals("ABSOLUTE") ? outside.toString() : name;

    TributaryException failure =
        catchThrowableOfType(TributaryException.class, () -> run(root, write(file)));

    assertThat(failure.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
    assertThat(failure).hasMessageContaining("WriteFile").hasMessageContaining(file);
    assertThat(outside).doesNotExist();
  }

  private void run(Path root, Operation operation) {
    ServerOptions options =
        ServerOptions.of(ClusterSpec.of(Map.of("local", List.of("localhost:0"))), "local", 0)
            .withFileRoot(root);
    try (Server server = Server.start(options);
        Session session = Session.open(server.target(), tf.graph(), OVER_THE_WIRE)) {
      session.run(operation);
    }
  }

  private Operation write(String file) {
    return tf.io.writeFile(tf.constant(file), tf.constant("text"));
  }
}
