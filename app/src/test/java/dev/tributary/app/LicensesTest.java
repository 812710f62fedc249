package dev.tributary.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The runnable jar brings the licence of every library in it. */
class LicensesTest {
  private static final String INDEX = "META-INF/licenses/index.txt";

  /** Groups on the class path of tests only. */
  private static final List<String> OF_TESTS =
      List.of(
          "org.junit.",
          "org.assertj",
          "org.opentest4j",
          "org.apiguardian",
          "net.bytebuddy",
          "org.apache.maven",
          // Of the Kubernetes clients.
          "com.fasterxml.jackson",
          "com.squareup",
          "io.fabric8",
          "io.gsonfire",
          "io.kubernetes",
          "io.swagger",
          "io.vertx",
          "jakarta.annotation",
          "org.apache.commons",
          "org.jetbrains",
          "org.snakeyaml");

  /** A line of the index. */
  private record License(String group, String name, String file) {
    static License parse(String line) {
      String[] columns = line.split(" +");
      assertThat(columns).as(line).hasSize(3);
      return new License(columns[0], columns[1], columns[2]);
    }
  }

  @Test
  void library_onTheClassPath_isInTheIndex() throws IOException {
    Set<String> groups = index().stream().map(License::group).collect(Collectors.toSet());
    List<String> others =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(place -> place.replace(File.separatorChar, '/'))
            .filter(place -> place.endsWith(".jar") && !isOurs(place))
            .filter(
                place ->
                    Stream.concat(groups.stream(), OF_TESTS.stream())
                        .noneMatch(group -> place.contains('/' + group.replace('.', '/'))))
            .toList();

    assertThat(others).as("jars without a line in %s", INDEX).isEmpty();
  }

  @Test
  void license_inTheIndex_hasItsText() throws IOException {
    for (License license : index()) {
      String text = read(license.file);
      switch (license.name) {
        case "Apache-2.0" -> assertThat(text).contains("Apache License", "Version 2.0");
        case "BSD-3-Clause" -> assertThat(text).contains("Copyright", "Redistributions in binary");
        case "MIT" -> assertThat(text).contains("Copyright", "Permission is hereby granted");
        case "GPL-3.0-with-GCC-exception" ->
            assertThat(text).contains("GCC RUNTIME LIBRARY EXCEPTION", "GENERAL PUBLIC LICENSE");
        default -> throw new AssertionError("unknown licence " + license);
      }
    }
  }

  private static boolean isOurs(String place) {
    return place.matches(".*/tributary-[^/]*\\.jar");
  }

  private static List<License> index() throws IOException {
    return read(INDEX).lines().filter(line -> !line.startsWith("#")).map(License::parse).toList();
  }

  private static String read(String file) throws IOException {
    try (InputStream in = Main.class.getResourceAsStream('/' + file)) {
      assertThat(in).as(file).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
