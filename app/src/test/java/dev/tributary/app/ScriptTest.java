package dev.tributary.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The {@code tributary} script, in a checkout whose Java and Maven are scripts that record how they
 * are called.
 */
@Tag("processes")
@Timeout(300)
class ScriptTest {
  private static final String JAVA =
      """
      #!/bin/sh
      echo "java $*" >>"$CALLS"
      echo "$LC_ALL" >"$CALLS.locale"
      for argument; do
        case $argument in
          -XX:DumpLoadedClassList=*) echo list >"${argument#*=}" ;;
          -XX:SharedArchiveFile=* | -XX:AOTCache=*) file=${argument#*=} ;;
          -XX:AOTCacheOutput=*) file=${argument#*=}; dump=1 ;;
          -Xshare:dump) dump=1 ;;
        esac
      done
      if [ "$dump" ]; then
        [ -z "$NO_ARCHIVE" ] || exit 1
        echo archive >"$file"
      fi
      echo "$file" >"$CALLS.archive"
      """;

  /** Takes its time, so that two builds at once would meet. */
  private static final String MAVEN =
      """
      #!/bin/sh
      echo "mvn $*" >>"$CALLS"
      for argument; do
        case $argument in
          -Dtributary.jar=*) jar=${argument#*=} ;;
        esac
      done
      [ -z "$NO_BUILD" ] || { echo half >"$jar"; exit 1; }
      echo half >"$jar"
      sleep 1
      echo whole >"$jar"
      """;

  private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

  @TempDir Path folder;
  private boolean asNobody;
  private Path root;
  private Path jar;
  private Path calls;

  @BeforeEach
  void makeCheckout() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash");
    root = Files.createDirectories(folder.resolve("check out"));
    jar = root.resolve("app/target/tributary.jar");
    calls = folder.resolve("calls");
    Files.copy(Path.of("../tributary"), root.resolve("tributary"));
    Files.writeString(root.resolve("pom.xml"), "");
    for (String module : List.of("natives", "core", "cluster", "train", "app")) {
      Files.createDirectories(root.resolve(module + "/src/main"));
      Files.writeString(root.resolve(module + "/pom.xml"), "");
    }
    Files.createDirectories(folder.resolve("jdk/bin"));
    Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
    executable(folder.resolve("jdk/bin/java"), JAVA);
    executable(Files.createDirectories(folder.resolve("bin")).resolve("mvn"), MAVEN);
    executable(root.resolve("tributary"), Files.readString(root.resolve("tributary")));
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(100)));
      }
    }
  }

  @AfterEach
  void allowRemoval() throws IOException {
    if (root != null && Files.exists(root.resolve("app/target"))) {
      Files.setPosixFilePermissions(
          root.resolve("app/target"), PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  @Test
  void script_firstRun_saysWhatItDoesAndDoesItOnce() throws Exception {
    assertThat(run(root.resolve("tributary"), "x y"))
        .containsExactly(
            "Building tributary (once)...", "Preparing the class archive (once, about 10 s)...");
    assertThat(Files.readString(jar)).isEqualTo("whole\n");
    assertThat(calls()).hasSize(4).last().asString().endsWith("-jar " + jar + " x y");

    assertThat(run(root.resolve("tributary"))).isEmpty();
    assertThat(calls()).hasSize(5);
    assertThat(archive()).isEqualTo(root.resolve("app/target/tributary-17.0.1.jsa"));
    assertThat(archive()).hasContent("archive");
  }

  @Test
  void script_fromJava25On_preparesItsCacheBesideTheFirstRun() throws Exception {
    buildBefore();
    Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
    Path cache = root.resolve("app/target/tributary-25.0.1.aot");

    assertThat(run(root.resolve("tributary"), "a")).isEmpty();
    assertThat(run(root.resolve("tributary"), "cache")).last().asString().contains("later starts");

    assertThat(cache).hasContent("archive");
    assertThat(calls()).anyMatch(call -> call.endsWith("-jar " + jar + " a"));
    assertThat(calls())
        .filteredOn(call -> call.endsWith("-jar " + jar + " cache"))
        .hasSize(2)
        .allMatch(call -> call.contains("-XX:AOTCacheOutput=" + cache + ".new"));
    assertThat(run(root.resolve("tributary"), "b")).isEmpty();
    assertThat(calls()).last().asString().contains("-XX:AOTCache=" + cache).endsWith(" b");
  }

  @Test
  void script_cache_preparesTheArchiveAgainAndSaysWhere() throws Exception {
    buildBefore();

    assertThat(run(root.resolve("tributary"), "cache"))
        .first()
        .asString()
        .contains("preparing " + root.resolve("app/target/tributary-17.0.1.jsa"));

    assertThat(root.resolve("app/target/tributary-17.0.1.jsa")).hasContent("archive");
    assertThat(calls()).hasSize(2).first().asString().endsWith("-jar " + jar + " cache");
    assertThat(run(List.of("NO_ARCHIVE=1"), root.resolve("tributary"), "cache"))
        .last()
        .asString()
        .contains("all works without it");
  }

  /** Java 17 cannot open a file whose name is not ASCII in the locale C. */
  @Test
  void script_localeWithoutNonAsciiNames_isReplaced() throws Exception {
    buildBefore();
    Path locale = folder.resolve("calls.locale");

    run(List.of("-u", "LC_ALL", "-u", "LC_CTYPE", "LANG=C"), root.resolve("tributary"));
    assertThat(locale).hasContent("C.UTF-8");

    run(List.of("LC_ALL=de_DE.UTF-8"), root.resolve("tributary"));
    assertThat(locale).hasContent("de_DE.UTF-8");
  }

  @Test
  void script_throughSymlinks_findsItsCheckout() throws Exception {
    buildBefore();
    Path other = Files.createDirectories(folder.resolve("other/deep"));
    Files.createSymbolicLink(folder.resolve("other/first"), Path.of("../check out/tributary"));
    Files.createSymbolicLink(other.resolve("second"), Path.of("../first"));
    Files.createSymbolicLink(folder.resolve("third"), other.resolve("second"));

    assertThat(run(folder.resolve("third"), "a")).isEmpty();

    assertThat(calls()).singleElement().asString().endsWith("-jar " + jar + " a");
  }

  @Test
  void script_readOnlyCheckout_keepsTheArchiveInTheCache() throws Exception {
    buildBefore();
    Files.delete(root.resolve("app/target/tributary-17.0.1.jsa"));
    lockCheckout();

    assertThat(run(root.resolve("tributary"))).hasSize(1);
    assertThat(archive()).startsWith(folder.resolve("cache/tributary")).hasContent("archive");
    assertThat(run(root.resolve("tributary"))).isEmpty();
  }

  @Test
  void script_readOnlyCheckoutWithOldJar_saysSoAndRunsIt() throws Exception {
    buildBefore();
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().minusSeconds(500)));
    lockCheckout();

    assertThat(run(root.resolve("tributary"), "a")).first().asString().contains("older");
    assertThat(calls()).last().asString().endsWith("-jar " + jar + " a");
  }

  @Test
  void script_readOnlyCheckoutWithoutJar_saysSo() throws Exception {
    Files.createDirectories(jar.getParent());
    lockCheckout();

    assertThat(run(root.resolve("tributary"))).singleElement().asString().contains("is missing");
    assertThat(calls).doesNotExist();
  }

  @Test
  void script_noArchiveCanBeMade_triesOnce() throws Exception {
    Files.createDirectories(jar.getParent());
    Files.writeString(jar, "whole\n");

    assertThat(run(List.of("NO_ARCHIVE=1"), root.resolve("tributary"))).hasSize(1);
    assertThat(run(List.of("NO_ARCHIVE=1"), root.resolve("tributary"))).isEmpty();

    assertThat(calls()).last().asString().doesNotContain("SharedArchiveFile");
  }

  @Test
  void script_buildFails_leavesNoJar() throws Exception {
    run(List.of("NO_BUILD=1"), root.resolve("tributary"));

    try (Stream<Path> left = Files.list(jar.getParent())) {
      assertThat(left.map(Path::getFileName).map(Path::toString)).containsOnly("build.lock");
    }
  }

  @Test
  void script_twoFirstRunsAtOnce_buildOnce() throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/flock")) || Files.isExecutable(Path.of("/bin/flock")),
        "no flock");
    Process first = start(List.of(), root.resolve("tributary"));
    Process second = start(List.of(), root.resolve("tributary"));
    await(first);
    await(second);

    assertThat(Files.readString(jar)).isEqualTo("whole\n");
    assertThat(calls()).filteredOn(call -> call.startsWith("mvn")).hasSize(1);
    assertThat(calls()).filteredOn(call -> call.contains("-Xshare:dump")).hasSize(1);
    assertThat(calls()).filteredOn(call -> call.endsWith("-jar " + jar)).hasSize(2);
  }

  /** Makes the checkout read-only for the script; a superuser runs it as somebody else. */
  private void lockCheckout() throws IOException {
    Files.setPosixFilePermissions(jar.getParent(), PosixFilePermissions.fromString("r-xr-xr-x"));
    if (Files.isWritable(jar.getParent())) {
      assumeTrue(Files.isExecutable(SETPRIV), "this user may write anywhere");
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
      asNobody = true;
    }
  }

  private void buildBefore() throws IOException {
    Files.createDirectories(jar.getParent());
    Files.writeString(jar, "whole\n");
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().minusSeconds(50)));
    Files.writeString(root.resolve("app/target/tributary-17.0.1.jsa"), "archive\n");
  }

  private List<String> calls() throws IOException {
    return Files.readAllLines(calls);
  }

  private Path archive() throws IOException {
    return Path.of(Files.readString(folder.resolve("calls.archive")).strip());
  }

  private List<String> run(Path script, String... arguments) throws Exception {
    return run(List.of(), script, arguments);
  }

  /** The lines that it prints. */
  private List<String> run(List<String> environment, Path script, String... arguments)
      throws Exception {
    return await(start(environment, script, arguments));
  }

  private Process start(List<String> environment, Path script, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    if (asNobody) {
      command.addAll(List.of(SETPRIV.toString(), "--reuid=65534", "--clear-groups"));
    }
    command.add("env");
    command.addAll(environment);
    command.add("JAVA_HOME=" + folder.resolve("jdk"));
    command.add("PATH=" + folder.resolve("bin") + ":" + System.getenv("PATH"));
    command.add("XDG_CACHE_HOME=" + folder.resolve("cache"));
    command.add("CALLS=" + calls);
    command.add(script.toString());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static List<String> await(Process process) throws Exception {
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return printed.lines().toList();
  }

  private static void executable(Path file, String script) throws IOException {
    Files.writeString(file, script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
