package dev.tributary.app.run;

import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The machines that tasks run on, in the order in which they get tasks. */
record Hosts(List<Host> hosts) {
  private static final Pattern LINE =
      Pattern.compile("([A-Za-z0-9._@:-]+)(?:\\s+slots=([1-9][0-9]{0,5}))?");

  /**
   * A machine.
   *
   * @param login as ssh takes it, such as user@name
   * @param slots the most tasks that it gets
   */
  record Host(String login, int slots) {
    /** The name by which other machines know it. */
    String name() {
      return login.substring(login.indexOf('@') + 1);
    }
  }

  /** Reads a file with a machine on each line: {@code user@name slots=2}, the last is optional. */
  static Hosts read(Path file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (IOException e) {
      throw FileFailure.of("read", file, e);
    }
    Map<String, Host> hosts = new LinkedHashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).replaceAll("#.*", "").strip();
      if (!line.isEmpty()) {
        Matcher form = LINE.matcher(line);
        if (!form.matches() || line.startsWith("-")) {
          throw TributaryException.invalidArgument(
              "--hosts: line %d of %s is '%s', wanted a host such as: user@name slots=2",
              i + 1, file, line);
        }
        String slots = form.group(2);
        Host host =
            new Host(form.group(1), slots == null ? Integer.MAX_VALUE : Integer.parseInt(slots));
        if (hosts.put(host.name(), host) != null) {
          throw TributaryException.invalidArgument(
              "--hosts: %s names %s twice; say slots=2 for two tasks there", file, host.name());
        }
      }
    }
    if (hosts.isEmpty()) {
      throw TributaryException.invalidArgument("--hosts: %s names no host", file);
    }
    return new Hosts(List.copyOf(hosts.values()));
  }

  /** Deals the tasks out, one to each host in turn while it has room. */
  Map<TaskName, Host> assign(List<TaskName> tasks) {
    List<Host> turn = new ArrayList<>();
    Map<Host, Integer> taken = new HashMap<>();
    Map<TaskName, Host> assigned = new LinkedHashMap<>();
    for (TaskName task : tasks) {
      if (turn.isEmpty()) {
        hosts.stream()
            .filter(host -> taken.getOrDefault(host, 0) < host.slots())
            .forEach(turn::add);
      }
      if (turn.isEmpty()) {
        throw TributaryException.invalidArgument(
            "--hosts: the hosts have slots for %d tasks, but there are %d; add hosts or slots",
            assigned.size(), tasks.size());
      }
      Host host = turn.remove(0);
      taken.merge(host, 1, Integer::sum);
      assigned.put(task, host);
    }
    return assigned;
  }
}
