package dev.tributary.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A document with sections that a program writes, each between the lines {@code <!-- begin NAME
 * -->} and {@code <!-- end NAME -->}. All else is left as it is.
 */
record ResultsFile(Path path) {
  /** Replaces what a section holds. */
  void write(String section, String text) throws IOException {
    String begin = "<!-- begin " + section + " -->\n";
    String end = "<!-- end " + section + " -->";
    String document = Files.readString(path);
    int from = document.indexOf(begin);
    int to = document.indexOf(end, Math.max(0, from));
    if (from < 0 || to < 0) {
      throw new IllegalArgumentException(
          "%s has no section '%s': wanted the lines %s and %s"
              .formatted(path, section, begin.strip(), end));
    }
    Files.writeString(
        path, document.substring(0, from + begin.length()) + text + document.substring(to));
  }
}
