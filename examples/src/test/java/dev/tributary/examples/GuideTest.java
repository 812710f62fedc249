package dev.tributary.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.ops.Ops;
import dev.tributary.testing.NoLeaks;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compiles and runs the code of each page of the guide, and of the README. The Java blocks of a
 * page make one program, in order, with a folder for its files. A comment after a line that prints
 * says what it prints.
 */
@NoLeaks
@Timeout(120)
class GuideTest {
  private static final Path README = Path.of("../README.md");
  private static final Pattern PRINTED = Pattern.compile("System\\.out\\.print.* // (.*)");
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  /** What a page may use without an import. */
  private static final List<String> PACKAGES =
      List.of(
          "java.nio.file",
          "java.time",
          "java.util",
          "dev.tributary.cluster.server",
          "dev.tributary.cluster.spec",
          "dev.tributary.error",
          "dev.tributary.gradients",
          "dev.tributary.graph",
          "dev.tributary.ops",
          "dev.tributary.security",
          "dev.tributary.session",
          "dev.tributary.tensor",
          "dev.tributary.trace",
          "dev.tributary.train.data",
          "dev.tributary.train.estimator",
          "dev.tributary.train.feature",
          "dev.tributary.train.hook",
          "dev.tributary.train.model",
          "dev.tributary.train.optimizer",
          "dev.tributary.train.replica",
          "dev.tributary.train.savedmodel",
          "dev.tributary.train.saver",
          "dev.tributary.train.session",
          "dev.tributary.train.variable");

  static Stream<Path> pages() throws Exception {
    try (Stream<Path> guide = Files.list(Path.of("../docs/guide"))) {
      return Stream.concat(Stream.of(README), guide.sorted().toList().stream());
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void code_ofAPage_printsWhatItsCommentsSay(Path page, @TempDir Path folder) throws Exception {
    String code = found(BLOCK, Files.readString(page)).collect(Collectors.joining("\n"));
    List<String> printed = printed(compiled(code, folder), folder);
    assertThat(printed).containsExactlyElementsOf(found(PRINTED, code).toList());
  }

  @Test
  void readme_numberOfOps_isThatOfTheRegistry() throws Exception {
    assertThat(Files.readString(README)).contains(Ops.registry().all().size() + " ops with");
  }

  private static Stream<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(result -> result.group(1));
  }

  private static Path compiled(String body, Path folder) throws Exception {
    String imports =
        PACKAGES.stream().map(name -> "import " + name + ".*;\n").collect(Collectors.joining());
    Path source =
        Files.writeString(
            folder.resolve("Page.java"),
            imports
                + "public class Page {\n  public static void run(Path folder) throws Exception {\n"
                + body
                + "  }\n}\n");
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter problems = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      boolean isGood =
          compiler
              .getTask(
                  problems,
                  files,
                  null,
                  List.of(
                      "-d",
                      folder.toString(),
                      "-proc:none",
                      "-cp",
                      System.getProperty("java.class.path")),
                  null,
                  files.getJavaFileObjects(source))
              .call();
      assertThat(isGood).as(problems + "\n" + body).isTrue();
    }
    return folder;
  }

  private static List<String> printed(Path classes, Path folder) throws Exception {
    Path scratch = Files.createDirectory(folder.resolve("scratch"));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream console = System.out;
    Locale locale = Locale.getDefault();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    Locale.setDefault(Locale.ROOT);
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
      loader.loadClass("Page").getMethod("run", Path.class).invoke(null, scratch);
    } finally {
      Locale.setDefault(locale);
      System.setOut(console);
    }
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
