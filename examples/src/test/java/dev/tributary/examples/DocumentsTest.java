package dev.tributary.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The form of what people read: Markdown without long lines, Javadoc without riddles. */
class DocumentsTest {
  private static final int LONGEST_LINE = 100;
  private static final Path ROOT = Path.of("..");
  private static final Pattern RIDDLE =
      Pattern.compile(
          "/\\*\\*(?:\\s+\\*)?\\s+((?:What|Who|Whose|How|Whether|Where|Which|When)\\b.*)");
  private static final Pattern LINK_TARGET = Pattern.compile("\\]\\([^)]*\\)|https?://\\S+");

  @Test
  void prose_ofAllDocuments_hasNoLongLines() throws Exception {
    List<String> tooLong = new ArrayList<>();
    for (Path document : documents()) {
      List<String> lines = Files.readAllLines(document);
      boolean isLiteral = false;
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i);
        if (line.startsWith("```") || isMark(line)) {
          isLiteral = line.startsWith("```") ? !isLiteral : line.startsWith("<!-- begin");
        } else if (!isLiteral && isProse(line) && length(line) > LONGEST_LINE) {
          tooLong.add(ROOT.relativize(document) + ":" + (i + 1) + ": " + line);
        }
      }
    }
    assertThat(tooLong).as("prose lines of more than %d characters", LONGEST_LINE).isEmpty();
  }

  @Test
  void javadoc_ofAllModules_startsWithANounPhraseOrAVerb() throws Exception {
    List<String> riddles = new ArrayList<>();
    int sources = 0;
    for (Path source : sources()) {
      sources++;
      RIDDLE
          .matcher(Files.readString(source))
          .results()
          .forEach(found -> riddles.add(source.getFileName() + ": " + found.group(1)));
    }
    assertThat(sources).isGreaterThan(1000);
    assertThat(riddles).as("Javadoc that starts with What, Who, How, Whether, ...").isEmpty();
  }

  @Test
  void contributing_andReadme_areShort() throws Exception {
    assertThat(Files.readAllLines(ROOT.resolve("CONTRIBUTING.md"))).hasSizeLessThanOrEqualTo(100);
    assertThat(Files.readAllLines(ROOT.resolve("README.md"))).hasSizeLessThanOrEqualTo(150);
  }

  private static List<Path> documents() throws Exception {
    List<Path> documents = new ArrayList<>();
    for (String folder : List.of("", "docs/guide", "docs/design", "docs", "bench", "examples")) {
      try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
        files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
      }
    }
    assertThat(documents).hasSizeGreaterThan(30);
    return documents;
  }

  private static List<Path> sources() throws Exception {
    List<Path> sources = new ArrayList<>();
    for (String module : List.of("core", "cluster", "train", "app", "examples", "bench")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
      }
    }
    return sources;
  }

  /** Marks around what a benchmark writes. */
  private static boolean isMark(String line) {
    return line.startsWith("<!-- begin") || line.startsWith("<!-- end");
  }

  private static boolean isProse(String line) {
    return !line.startsWith("    ") && !line.startsWith("|");
  }

  private static int length(String line) {
    return LINK_TARGET.matcher(line).replaceAll("]").length();
  }
}
