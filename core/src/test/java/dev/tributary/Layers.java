package dev.tributary;

import java.util.ArrayList;
import java.util.List;

/**
 * Which package may see which.
 *
 * @param fromBottom the packages of each layer, the lowest layer first
 * @param protobufUsers the packages that may import protobuf
 */
record Layers(List<List<String>> fromBottom, List<String> protobufUsers) {
  List<String> wrongArrows(Sources sources) {
    List<String> wrong = new ArrayList<>();
    for (String from : sources.packages()) {
      if (layerOf(from) < 0) {
        wrong.add(from + " has no layer");
        continue;
      }
      for (String to : sources.importsOf(from)) {
        if (!maySee(from, to)) {
          wrong.add(from + " -> " + to);
        }
      }
    }
    return wrong;
  }

  List<String> wrongUsersOfProtobuf(Sources sources) {
    return sources.usersOfProtobuf().stream()
        .filter(user -> !protobufUsers.contains(user))
        .toList();
  }

  private boolean maySee(String from, String to) {
    int above = layerOf(from);
    int below = layerOf(to);
    return below >= 0 && (below < above || (below == above && familyOf(from).equals(familyOf(to))));
  }

  private int layerOf(String name) {
    for (int i = 0; i < fromBottom.size(); i++) {
      if (fromBottom.get(i).contains(name)) {
        return i;
      }
    }
    return -1;
  }

  private static String familyOf(String name) {
    int first = name.startsWith("internal.") ? "internal.".length() : 0;
    int dot = name.indexOf('.', first);
    return name.substring(first, dot < 0 ? name.length() : dot);
  }
}
