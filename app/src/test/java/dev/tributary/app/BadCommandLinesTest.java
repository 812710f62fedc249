package dev.tributary.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Wrong command lines: each is refused in words of the command, and the refusal names the flag. */
@Timeout(300)
class BadCommandLinesTest {
  private static final String CLUSTER = "--cluster={\"a\": [\"localhost:0\"]}";
  private static final String FORBIDDEN =
      "(?s).*(java\\.|javax\\.|\\tat |Exception|JsonReader|gson|BEGIN_|PT-?[0-9]|Optional\\[).*";

  @TempDir static Path folder;

  /** A command line, and what its refusal has to name. */
  record Row(String named, List<String> arguments) {
    @Override
    public String toString() {
      return String.join(" ", arguments);
    }
  }

  static Stream<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    clusters(rows);
    tasks(rows);
    numbers(rows);
    files(rows);
    others(rows);
    return rows.stream();
  }

  private static void clusters(List<Row> rows) throws IOException {
    String half = write("half.json", "{\"a\": [\"localhost:0\"]");
    for (String cluster :
        new String[] {
          "{\"a\"",
          "",
          "{",
          "[1]",
          "5",
          "{\"a\": 5}",
          "{\"a\": [5]}",
          "{\"a\": [null]}",
          "{\"a\": {\"x\": \"localhost:1\"}}",
          "{\"a\": {\"-1\": \"localhost:1\"}}",
          "{a: [\"localhost:0\"]}",
          "{\"a\": [\"localhost:0\"]} x",
          "{\"a\": [\"localhost\"]}",
          "{\"a\": [\"localhost:99999\"]}",
          "{\"a\": [\"localhost:1\", \"localhost:1\"]}",
          "{\"a\": []}",
          "@" + folder.resolve("missing.json"),
          "@" + folder,
          "@" + half,
          "@"
        }) {
      rows.add(row("--cluster", "server", "--cluster", cluster, "--job", "a"));
    }
    rows.add(row("--cluster", "server"));
    rows.add(row("--cluster", "certs", "dir"));
    rows.add(row("--cluster", "explain", "--graph", "graph.pb"));
    rows.add(row("--ps_hosts", "server", "--ps_hosts", "localhost", "--job", "ps"));
    rows.add(row("--worker_hosts", "server", "--worker_hosts", "a:1,,b:1", "--job", "worker"));
    rows.add(row("--ps_hosts", "server", "--ps_hosts", "a:1", CLUSTER, "--job", "ps"));
    rows.add(row("--ps_hosts", "server", "--ps_hosts", "a:1,a:1", "--job", "ps"));
  }

  private static void tasks(List<Row> rows) {
    rows.add(row("--job", "server", CLUSTER));
    rows.add(row("--job", "server", CLUSTER, "--job", "b"));
    rows.add(row("--task", "server", CLUSTER, "--job", "a", "--task", "1"));
    rows.add(row("--task", "server", CLUSTER, "--job", "a", "--task", "-1"));
    rows.add(row("--task", "server", CLUSTER, "--job", "a", "--task", "x"));
    rows.add(row("--strategy", "digits", "--strategy", "tower"));
    rows.add(row("--strategy", "digits", "--workers", "2", "--strategy", "mirrored"));
    rows.add(row("--replicas", "digits", "--replicas", "2"));
    rows.add(row("--replicas", "digits", "--strategy", "one-device", "--replicas", "2"));
    rows.add(row("--replicas", "digits", "--strategy", "mirrored", "--replicas", "0"));
    rows.add(row("--insecure", "server", "--cluster={\"a\": [\"example.com:1\"]}", "--job", "a"));
    rows.add(row("--mutual-tls", "server", "--ps_hosts", "0.0.0.0:0", "--job", "ps"));
  }

  private static void numbers(List<Row> rows) {
    for (String option :
        List.of(
            "--session-timeout",
            "--step-timeout",
            "--transfer-timeout",
            "--stop-timeout",
            "--silence-limit",
            "--session-lease",
            "--session-idle-limit")) {
      for (String value : List.of("0", "-5", "5s", "1.5", "", "9223372036854775807")) {
        rows.add(row(option, "server", CLUSTER, "--job", "a", option, value));
      }
    }
    for (String option :
        List.of(
            "--max-message-bytes",
            "--max-graph-nodes",
            "--max-graph-bytes",
            "--max-sessions",
            "--max-memory-bytes",
            "--max-connection-calls")) {
      for (String value : List.of("0", "-5", "2G", "99999999999999999999")) {
        rows.add(row(option, "server", CLUSTER, "--job", "a", option, value));
      }
    }
    for (String value : List.of("-1", "many", "9999999", "99999999999")) {
      rows.add(row("--threads", "server", CLUSTER, "--job", "a", "--threads", value));
    }
    for (String value : List.of("0", "-1", "x", "999999999")) {
      rows.add(row("--timeout", "devices", "grpc://localhost:1", "--timeout", value));
      rows.add(row("--days", "certs", "dir", CLUSTER, "--days", value));
      rows.add(row("--width", "events", "dir", "--width", value));
    }
    for (String option : List.of("--batch", "--epochs", "--save_model_secs")) {
      for (String value : List.of("0", "-1", "x", "1.5")) {
        rows.add(row(option, "digits", option, value));
      }
    }
    for (String value : List.of("0", "-1", "x", "NaN")) {
      rows.add(row("--rate", "digits", "--rate", value));
    }
    rows.add(row("--issync", "digits", "--issync", "2"));
    rows.add(row("--seed", "digits", "--seed", "x"));
    rows.add(row("--ps", "digits", "--ps", "0"));
    rows.add(row("--workers", "digits", "--workers", "-1"));
    rows.add(row("--consistency", "digits", "--consistency", "fast"));
  }

  private static void files(List<Row> rows) throws IOException {
    String missing = folder.resolve("missing").toString();
    String empty = Files.createDirectories(folder.resolve("empty")).toString();
    String text = write("text", "text\n");
    String graph = write("graph.pbtxt", "node { foo");
    for (String file : List.of(missing, empty, text, text + "/x")) {
      rows.add(row("--tls", "server", CLUSTER, "--job", "a", "--tls", file));
      rows.add(row("--mutual-tls", "server", CLUSTER, "--job", "a", "--mutual-tls", file));
      rows.add(row("--tls", "devices", "grpc://localhost:1", "--tls", file));
      rows.add(row("--token-file", "server", CLUSTER, "--job", "a", "--token-file", file));
      rows.add(row("--token-file", "devices", "grpc://localhost:1", "--token-file", file));
      rows.add(row("--graph", "explain", CLUSTER, "--graph", file));
      rows.add(row("--admin-token-file", adminToken(file)));
      rows.add(row(file, "model", "show", file));
      rows.add(row(file, "model", "run", file, "--inputs", text));
    }
    for (String file : List.of(missing, text, text + "/x")) {
      rows.add(row("--file-root", "server", CLUSTER, "--job", "a", "--file-root", file));
      rows.add(row(file, "events", file));
      rows.add(row(file, "checkpoint", file));
    }
    rows.add(row(empty, "events", empty));
    rows.add(row(empty, "checkpoint", empty));
    rows.add(row(text, "certs", text, CLUSTER));
    rows.add(row(text, "certs", text + "/x", CLUSTER));
    rows.add(row("--graph", "explain", CLUSTER, "--graph", graph));
    rows.add(row("--graph", "explain", CLUSTER));
    rows.add(row("--master", "explain", CLUSTER, "--graph", graph, "--master", "worker"));
    rows.add(row("--master", "explain", CLUSTER, "--graph", graph, "--master", "/job:b/task:0"));
    rows.add(
        row("--mutual-tls", "server", CLUSTER, "--job=a", "--mutual-tls", empty, "--tls", empty));
    rows.add(row("train-labels-idx1-ubyte", "digits", "--data", empty));
    rows.add(row("train-labels-idx1-ubyte", "digits", "--data", missing));
  }

  private static String[] adminToken(String file) {
    return new String[] {"server", CLUSTER, "--job", "a", "--admin-token-file", file};
  }

  private static void others(List<Row> rows) {
    rows.add(row("name a command"));
    rows.add(row("'serve'", "serve"));
    rows.add(row("--nosuch", "server", CLUSTER, "--job", "a", "--nosuch"));
    rows.add(row("'extra'", "server", CLUSTER, "--job", "a", "extra"));
    rows.add(row("--job", "server", CLUSTER, "--job"));
    rows.add(row("--backend", "server", CLUSTER, "--job", "a", "--backend", "gpu"));
    rows.add(row("--backend", "digits", "--backend", "gpu"));
    rows.add(row("--fast-paths", "server", CLUSTER, "--job", "a", "--fast-paths", "some"));
    rows.add(row("TARGET", "devices"));
    rows.add(row("grpc://host:port", "devices", "localhost:1"));
    rows.add(row("host:port", "devices", "grpc://"));
    rows.add(row("host:port", "devices", "grpc://localhost"));
    rows.add(row("DIR", "events"));
    rows.add(row("DIR", "model", "show"));
    rows.add(row("is not a SavedModel", "model", "run", "dir"));
    rows.add(row("show", "model"));
    rows.add(row("'describe'", "model", "describe"));
    rows.add(row("--admin-certificate", "server", CLUSTER, "--job", "a", "--admin-certificate"));
    rows.add(row("DIR|PREFIX", "checkpoint"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void commandLine_wrong_isRefusedInPlainWords(Row row) {
    CommandOutcome outcome = CommandOutcome.of(row.arguments().toArray(String[]::new));

    assertThat(outcome.exitCode()).as(outcome.err()).isIn(1, 2, 78);
    List<String> lines = withoutLog(outcome.err());
    assertThat(lines).as(outcome.err()).isNotEmpty().hasSizeLessThanOrEqualTo(2);
    String last = lines.get(lines.size() - 1);
    assertThat(last).startsWith("tributary: ").contains(row.named());
    assertThat(last).doesNotMatch(FORBIDDEN);
  }

  @Test
  void server_portTaken_isRefusedWithItsAddress() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "localhost:" + taken.getLocalPort();

      CommandOutcome outcome =
          CommandOutcome.of("server", "--cluster={\"a\": [\"" + address + "\"]}", "--job=a");

      assertThat(outcome.exitCode()).isEqualTo(1);
      List<String> lines = withoutLog(outcome.err());
      assertThat(lines.get(lines.size() - 1))
          .contains("cannot listen", Integer.toString(taken.getLocalPort()), "in use", "--cluster")
          .doesNotMatch(FORBIDDEN);
    }
  }

  @Test
  void commandLine_mistypedValue_endsWithItsMessage() {
    CommandOutcome outcome = CommandOutcome.of("digits", "--batch", "many");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err().lines())
        .containsExactly(
            "Usage: tributary digits [OPTIONS]; 'tributary digits --help' explains the options",
            "tributary: Invalid value for option '--batch': 'many' is not a whole number");
  }

  private static List<String> withoutLog(String err) {
    return err.lines().filter(line -> !line.matches("[0-9-]+ [0-9:.]+ (INFO|WARN) .*")).toList();
  }

  private static Row row(String named, String... arguments) {
    return new Row(named, Arrays.asList(arguments));
  }

  private static String write(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content).toString();
  }
}
