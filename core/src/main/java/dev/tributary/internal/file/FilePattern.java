package dev.tributary.internal.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * File names with wildcards, as TensorFlow takes them: {@code *} is any text, {@code ?} any
 * character, {@code [a-c]} one of these, {@code \} takes the next one as it is. None of them
 * matches a slash.
 */
public final class FilePattern {
  private static final String WILDCARDS = "*?[\\";

  private FilePattern() {}

  /**
   * All files and folders that match, as names that begin as the pattern does. What a link out of
   * the root leads to is left out.
   */
  public static List<String> matches(FileRoot root, String pattern) {
    int wildcard = 0;
    while (wildcard < pattern.length() && WILDCARDS.indexOf(pattern.charAt(wildcard)) < 0) {
      wildcard++;
    }
    int slash = pattern.lastIndexOf('/', wildcard == pattern.length() ? -1 : wildcard);
    if (wildcard == pattern.length()) {
      Path path = root.resolve(pattern);
      return Files.exists(path) ? List.of(path.toString()) : List.of();
    }
    String parent = slash < 0 ? "" : slash == 0 ? "/" : pattern.substring(0, slash);
    List<Path> found = List.of(root.resolveFolder(parent));
    for (String part : pattern.substring(slash + 1).split("/")) {
      found = below(root, found, regex(part));
    }
    return found.stream().map(Path::toString).toList();
  }

  private static List<Path> below(FileRoot root, List<Path> folders, Pattern name) {
    List<Path> found = new ArrayList<>();
    for (Path folder : folders) {
      if (Files.isDirectory(folder)) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
          for (Path entry : entries) {
            if (name.matcher(entry.getFileName().toString()).matches() && root.holds(entry)) {
              found.add(entry);
            }
          }
        } catch (IOException e) {
          throw FileFailure.of("list", folder, e);
        } catch (UncheckedIOException e) {
          throw FileFailure.of("list", folder, e.getCause());
        } catch (DirectoryIteratorException e) {
          throw FileFailure.of("list", folder, e.getCause());
        }
      }
    }
    return found;
  }

  private static Pattern regex(String part) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      int end = part.indexOf(']', i + 2);
      if (c == '*') {
        regex.append(".*");
      } else if (c == '?') {
        regex.append('.');
      } else if (c == '[' && end > 0) {
        String set = part.substring(i + 1, end).replace("\\", "\\\\").replace("[", "\\[");
        regex.append('[').append(set.startsWith("!") ? "^" + set.substring(1) : set).append(']');
        i = end;
      } else {
        boolean escapes = c == '\\' && i + 1 < part.length();
        regex.append(Pattern.quote(String.valueOf(escapes ? part.charAt(++i) : c)));
      }
    }
    try {
      return Pattern.compile(regex.toString(), Pattern.DOTALL);
    } catch (PatternSyntaxException e) {
      // A set that is none, such as [z-a], matches nothing.
      return Pattern.compile("(?!)");
    }
  }
}
