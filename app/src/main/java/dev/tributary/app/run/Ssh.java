package dev.tributary.app.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Commands that run a command on another machine. It ends when its connection does: a process there
 * reads the standard input, whose other end is ours, and ends the command with it.
 *
 * @param client the words of the ssh client with its options
 * @param folder where the commands run
 */
record Ssh(List<String> client, Path folder) {
  /** The time a command there has to end before it is killed. */
  private static final int STOP_SECONDS = 10;

  /** The words of a command here that runs a command there. */
  List<String> command(Hosts.Host host, Map<String, String> environment, List<String> command) {
    List<String> words = new ArrayList<>(client);
    words.add(host.login());
    words.add(script(environment, command));
    return words;
  }

  private String script(Map<String, String> environment, List<String> command) {
    String variables =
        environment.entrySet().stream()
            .map(variable -> variable.getKey() + "=" + quoted(variable.getValue()) + " ")
            .collect(Collectors.joining());
    String words = command.stream().map(Ssh::quoted).collect(Collectors.joining(" "));
    return String.join(
        "\n",
        "cd " + quoted(folder.toString()) + " || exit 78",
        "exec 3<&0",
        "env " + variables + words + " </dev/null 3<&- &",
        "task=$!",
        "{ cat; kill -TERM $task; sleep "
            + STOP_SECONDS
            + "; kill -KILL $task; }"
            + " <&3 >/dev/null 2>&1 &",
        "watch=$!",
        "exec 3<&-",
        "wait $task",
        "code=$?",
        "kill $watch 2>/dev/null",
        "exit $code");
  }

  /** A word as a shell reads it back. */
  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }
}
