package dev.tributary.cluster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.internal.bundle.BundleWriter;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every op that is given the name of a file keeps to the folder that the server was given. */
@NoLeaks
@Timeout(120)
class FileOpsRootTest {
  private static final String SECRET = "plugh\t42\n";

  @TempDir private Path folder;
  private Path root;
  private Path outside;
  private final Ops tf = Ops.create();
  private Server server;
  private Session session;

  static Stream<FileOps.Call> calls() {
    return FileOps.all().stream();
  }

  @BeforeEach
  void start() throws IOException {
    folder = folder.toRealPath();
    root = Files.createDirectory(folder.resolve("root"));
    outside = Files.createDirectory(folder.resolve("outside"));
    Files.writeString(outside.resolve("file"), SECRET);
    checkpoint(outside.resolve("checkpoint"));
    checkpoint(root.resolve("inside"));
    Files.createSymbolicLink(root.resolve("linked-folder"), outside);
    Files.createSymbolicLink(root.resolve("linked-file"), outside.resolve("file"));
    Files.createSymbolicLink(root.resolve("linked-to-nothing"), outside.resolve("nothing"));
    for (String suffix : List.of(".index", ".data-00000-of-00001")) {
      Files.createSymbolicLink(
          root.resolve("linked" + suffix), outside.resolve("checkpoint" + suffix));
    }
    ClusterSpec cluster = ClusterSpec.of(Map.of("local", List.of("localhost:0")));
    server = Server.start(ServerOptions.of(cluster, "local", 0).withFileRoot(root));
    session = Session.open(server.target(), tf.graph());
  }

  @AfterEach
  void close() {
    session.close();
    server.close();
    tf.graph().close();
  }

  @Test
  void registeredOps_thatNameFiles_areAllTested() {
    Set<String> tested =
        FileOps.all().stream().map(FileOps.Call::op).collect(Collectors.toCollection(TreeSet::new));
    tested.addAll(FileOps.NAMES_ONLY);

    assertThat(tested).isEqualTo(FileOps.registered());
  }

  @ParameterizedTest
  @MethodSource("calls")
  void call_nameThatLeadsOut_isRefusedAndTouchesNothing(FileOps.Call call) throws IOException {
    boolean isPrefix = call.kind() == FileOps.Kind.CHECKPOINT || call.kind() == FileOps.Kind.CACHE;
    String file = isPrefix ? "checkpoint" : "file";
    Map<String, String> before = contents();

    for (String name :
        List.of(
            "../outside/" + file,
            "sub/../../outside/" + file,
            outside.resolve(file).toString(),
            "file://" + outside.resolve(file),
            "linked-folder/" + file,
            "linked-folder/none/new",
            "linked-file",
            "linked-to-nothing",
            "..",
            ".",
            root.toString(),
            "",
            "a\0b",
            "../outside/a\0b")) {
      if (name.isEmpty() && call.kind().mayBeEmpty()) {
        continue; // Names no file.
      }
      if (call.kind() == FileOps.Kind.FOLDER && List.of("", ".", root.toString()).contains(name)) {
        continue; // Files may be made in the folder itself.
      }
      TributaryException refusal =
          catchThrowableOfType(TributaryException.class, () -> run(call, name));

      assertThat(refusal).as("%s of '%s'", call, name).isNotNull();
      assertThat(refusal.code())
          .as(refusal.getMessage())
          .isIn(ErrorCode.PERMISSION_DENIED, ErrorCode.INVALID_ARGUMENT);
      assertThat(refusal.getMessage())
          .contains("'" + name + "'")
          .contains(root.toString())
          .contains("--file-root")
          .doesNotContain("plugh");
    }
    assertThat(contents()).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("calls")
  void call_checkpointWhoseFilesAreLinksOut_readsAndChangesNothingThere(FileOps.Call call)
      throws IOException {
    Map<String, String> before = outsideContents();

    boolean reads =
        call.op().startsWith("Restore")
            || call.op().startsWith("LoadAnd")
            || call.title().equals("part");
    TributaryException refusal =
        catchThrowableOfType(TributaryException.class, () -> run(call, "linked"));

    if (reads) {
      assertThat(refusal.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
      assertThat(refusal).hasMessageContaining("--file-root");
    }
    assertThat(outsideContents()).isEqualTo(before);
  }

  /** Nobody writes into the pipe: whoever opens it waits for ever. */
  @ParameterizedTest
  @MethodSource("calls")
  void call_pipe_isRefusedAndBlocksNoThread(FileOps.Call call) throws Exception {
    boolean finds = call.op().contains("MatchingFiles");
    boolean replaces = call.op().startsWith("Save") || call.title().equals("destination");
    makePipe(root.resolve("pipe"));
    makePipe(root.resolve("checkpoint.index"));
    Files.createDirectories(root.resolve("elements/1"));
    makePipe(root.resolve("elements/snapshot.metadata"));
    makePipe(root.resolve("elements/1/snapshot.metadata"));
    String name =
        switch (call.kind()) {
          case FILE, OPTIONAL_FILE, FOLDER -> "pipe";
          case CHECKPOINT, CACHE -> "checkpoint";
          case ELEMENTS -> "elements";
        };

    TributaryException refusal =
        catchThrowableOfType(TributaryException.class, () -> run(call, name));

    if (call.kind() == FileOps.Kind.FOLDER) {
      assertThat(refusal.code()).isEqualTo(ErrorCode.FAILED_PRECONDITION);
    } else if (!finds && !replaces) {
      assertThat(refusal.code()).isEqualTo(ErrorCode.FAILED_PRECONDITION);
      assertThat(refusal).hasMessageContaining("regular files only");
    }
  }

  private static void makePipe(Path path) throws IOException, InterruptedException {
    Path command = Path.of("/usr/bin/mkfifo");
    assumeTrue(Files.isExecutable(command), "this system has no " + command);
    Process made = new ProcessBuilder(command.toString(), path.toString()).start();
    assertThat(made.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(made.exitValue()).isZero();
  }

  @ParameterizedTest
  @MethodSource("calls")
  void call_nameInTheFolder_isNoQuestionOfPermission(FileOps.Call call) throws IOException {
    Files.createDirectory(root.resolve("sub"));
    Files.writeString(root.resolve("sub/file"), "1\n");
    checkpoint(root.resolve("sub/checkpoint"));
    String name =
        switch (call.kind()) {
          case FILE, OPTIONAL_FILE -> "sub/file";
          case FOLDER -> "sub/new/logs";
          case CHECKPOINT -> "sub/../sub/checkpoint";
          case CACHE -> "sub/../sub/cache";
          case ELEMENTS -> "sub/../sub/elements";
        };
    if (call.kind() == FileOps.Kind.ELEMENTS) {
      session.run(FileOps.save(tf, name));
    }

    TributaryException failure =
        catchThrowableOfType(TributaryException.class, () -> run(call, name));

    // A text is not a file of records.
    if (call.toString().contains("TFRecord") && !call.op().contains("ToTFRecord")) {
      assertThat(failure.code()).isEqualTo(ErrorCode.DATA_LOSS);
    } else if (call.op().startsWith("LoadAnd")) {
      assertThat(failure).hasMessageContaining("expected shape of rank 2");
    } else if (call.op().contains("Proto")) {
      assertThat(failure).hasMessageContaining("FileDescriptorSet");
    } else {
      assertThat(failure).isNull();
    }
  }

  private void run(FileOps.Call call, String name) {
    for (Operation operation : call.maker().make(tf, name)) {
      session.run(operation);
    }
  }

  private static void checkpoint(Path prefix) {
    try (BundleWriter writer = BundleWriter.create(prefix);
        Tensor x = Tensor.scalar(42f)) {
      writer.add("x", x);
      writer.finish();
    }
  }

  private Map<String, String> outsideContents() throws IOException {
    Map<String, String> all = contents();
    all.keySet().removeIf(name -> name.startsWith("root"));
    return all;
  }

  /** All files below the test's folder, links as such. */
  private Map<String, String> contents() throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String content = "folder";
        if (Files.isSymbolicLink(file)) {
          content = "link to " + Files.readSymbolicLink(file);
        } else if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
          content = Files.readString(file, StandardCharsets.ISO_8859_1);
        }
        all.put(folder.relativize(file).toString(), content);
      }
    }
    return all;
  }
}
