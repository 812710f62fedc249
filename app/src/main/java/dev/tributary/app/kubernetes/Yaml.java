package dev.tributary.app.kubernetes;

import java.util.LinkedHashMap;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions;

/** Text of documents whose maps keep the order in which they were filled. */
final class Yaml {
  private static final int INDENT = 2;

  private Yaml() {}

  /**
   * A map that can be added to.
   *
   * @param keysAndValues in turn
   */
  static Map<String, Object> map(Object... keysAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      map.put((String) keysAndValues[i], keysAndValues[i + 1]);
    }
    return map;
  }

  static String text(Object document) {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setIndent(INDENT);
    options.setSplitLines(false);
    options.setDereferenceAliases(true);
    return new org.yaml.snakeyaml.Yaml(options).dump(document);
  }
}
