package dev.tributary.bench;

import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * The origin of figures.
 *
 * @param commit what was measured
 * @param command how
 */
record Provenance(String commit, String command) {
  /** A report of today, of this machine: what was measured how and on what, then the figures. */
  String above(String figures) {
    return "%s, commit %s, `%s`.%n%s.%n%n%s"
        .formatted(LocalDate.now(ZoneOffset.UTC), commit, command, Machine.here(), figures);
  }
}
