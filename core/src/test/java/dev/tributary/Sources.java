package dev.tributary;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Source files, seen as packages that mention other packages. Names are relative to {@code
 * dev.tributary}.
 */
final class Sources {
  private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL);
  private static final Pattern OWN_NAME =
      Pattern.compile("\\bdev\\.tributary\\.((?:[a-z][a-z0-9]*\\.)+)(?=[A-Z*])");
  private static final Pattern PROTOBUF =
      Pattern.compile("\\b(com\\.google\\.protobuf|org\\.tensorflow\\.proto)\\b");

  private static final Pattern FILES =
      Pattern.compile(
          "\\bjava\\.nio\\.file\\.(?!Path;)|\\bjava\\.io\\.(File|RandomAccessFile|\\*)"
              + "|FileChannel\\b|\\bPath\\.of\\(");

  private final Map<String, Set<String>> imports = new TreeMap<>();
  private final Set<String> protobufUsers = new TreeSet<>();
  private final Set<String> fileUsers = new TreeSet<>();
  private final Set<String> described = new TreeSet<>();

  static Sources under(Path root) throws IOException {
    Path own = root.resolve("dev/tributary");
    Sources sources = new Sources();
    try (Stream<Path> files = Files.walk(own)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        String inPackage =
            own.relativize(file.getParent()).toString().replace('\\', '/').replace('/', '.');
        sources.add(inPackage, file.getFileName().toString(), Files.readString(file));
      }
    }
    return sources;
  }

  void add(String inPackage, String fileName, String text) {
    Set<String> seen = imports.computeIfAbsent(inPackage, name -> new TreeSet<>());
    if (fileName.equals("package-info.java")) {
      described.add(inPackage);
    }
    String code = COMMENT.matcher(text).replaceAll(" ");
    for (Matcher name = OWN_NAME.matcher(code); name.find(); ) {
      String other = name.group(1).substring(0, name.group(1).length() - 1);
      if (!other.equals(inPackage)) {
        seen.add(other);
      }
    }
    if (PROTOBUF.matcher(code).find()) {
      protobufUsers.add(inPackage);
    }
    if (FILES.matcher(code).find()) {
      fileUsers.add(inPackage);
    }
  }

  Set<String> packages() {
    return imports.keySet();
  }

  Set<String> importsOf(String inPackage) {
    return imports.get(inPackage);
  }

  Set<String> usersOfProtobuf() {
    return protobufUsers;
  }

  /** Packages that open files, or make paths of names. */
  Set<String> usersOfFiles() {
    return fileUsers;
  }

  /** Packages without a {@code package-info.java}. */
  Set<String> undescribed() {
    Set<String> missing = new TreeSet<>(imports.keySet());
    missing.removeAll(described);
    return missing;
  }

  /** A way from a package back to itself, or nothing. */
  List<String> cycle() {
    Set<String> done = new TreeSet<>();
    for (String start : imports.keySet()) {
      List<String> cycle = cycleFrom(start, new ArrayList<>(), done);
      if (!cycle.isEmpty()) {
        return cycle;
      }
    }
    return List.of();
  }

  private List<String> cycleFrom(String at, List<String> path, Set<String> done) {
    int before = path.indexOf(at);
    path.add(at);
    if (before >= 0) {
      return path.subList(before, path.size());
    }
    for (String next : done.contains(at) ? Set.<String>of() : imports.getOrDefault(at, Set.of())) {
      List<String> cycle = cycleFrom(next, path, done);
      if (!cycle.isEmpty()) {
        return cycle;
      }
    }
    done.add(at);
    path.remove(path.size() - 1);
    return List.of();
  }
}
