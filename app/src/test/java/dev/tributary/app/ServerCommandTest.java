package dev.tributary.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.security.JobToken;
import dev.tributary.testing.JavaProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The server and devices commands, in processes of their own. */
@Tag("processes")
@Timeout(300)
class ServerCommandTest {
  @Test
  void server_clusterInFile_servesUntilItIsTold(@TempDir Path folder) throws Exception {
    String address = FreePorts.addresses(1).get(0);
    Path file = folder.resolve("cluster.json");
    Files.writeString(file, "{\"local\": [\"" + address + "\"]}");
    try (JavaProgram server =
        JavaProgram.start(Main.class, "server", "--cluster", "@" + file, "--job", "local")) {
      server.awaitLine("/job:local/replica:0/task:0 serves at grpc://" + address);

      CommandOutcome devices = CommandOutcome.of("devices", "grpc://" + address);
      assertThat(devices.exitCode()).as(devices.err()).isZero();
      assertThat(devices.out()).contains("/job:local/replica:0/task:0/device:CPU:0", "CPU");

      server.handle().destroy();
      assertThat(server.awaitSuccess()).anyMatch(line -> line.contains("task:0 stopped"));
    }
  }

  @Test
  void server_listsOfHosts_makeACluster() throws Exception {
    List<String> at = FreePorts.addresses(2);
    String[] hosts = {"--ps_hosts", at.get(0), "--worker_hosts", at.get(1)};
    try (JavaProgram ps = server(hosts, "--job_name", "ps", "--task_index", "0");
        JavaProgram worker = server(hosts, "--job_name", "worker", "--task_index", "0")) {
      ps.awaitLine("serves at");
      worker.awaitLine("serves at");

      String devices = CommandOutcome.of("devices", "--timeout=60", "grpc://" + at.get(1)).out();

      assertThat(devices)
          .contains(
              "/job:ps/replica:0/task:0/device:CPU:0", "/job:worker/replica:0/task:0/device:CPU:0");
    }
  }

  @Test
  void server_mutualTlsAndToken_letsInWhoHasBoth(@TempDir Path folder) throws Exception {
    List<String> at = FreePorts.addresses(2);
    String[] hosts = {"--ps_hosts", at.get(0), "--worker_hosts", at.get(1)};
    String certificates = folder.resolve("certs").toString();
    String token = tokenFile(folder).toString();
    String[] secured = {"--mutual-tls", certificates, "--token-file", token};
    CommandOutcome certs =
        CommandOutcome.of("certs", hosts[0], hosts[1], hosts[2], hosts[3], certificates);
    assertThat(certs.exitCode()).as(certs.err()).isZero();
    try (JavaProgram ps = server(hosts, with(secured, "--job_name", "ps"));
        JavaProgram worker = server(hosts, with(secured, "--job_name", "worker"))) {
      ps.awaitLine("serves at");
      worker.awaitLine("serves at");
      String target = "grpc://" + at.get(1);

      assertThat(CommandOutcome.of(with(secured, "devices", target)).out())
          .contains("/job:ps/replica:0/task:0/device:CPU:0", "/job:worker/");
      assertThat(CommandOutcome.of("devices", target).err()).contains("it wants TLS");
      assertThat(CommandOutcome.of("devices", target, "--tls", certificates).err())
          .contains("has no token");
    }
  }

  @Test
  void server_parentGone_ends() throws Exception {
    try (JavaProgram server =
        JavaProgram.start(
            Main.class,
            "server",
            "--cluster={\"a\": [\"localhost:0\"]}",
            "--job=a",
            "--end-with-input")) {
      server.awaitLine("serves at").endInput().awaitSuccess();
    }
  }

  @Test
  void server_untilDone_endsWithTheLastWorker() throws Exception {
    List<String> at = FreePorts.addresses(2);
    String[] hosts = {"--ps_hosts", at.get(0), "--worker_hosts", at.get(1)};
    ClusterSpec cluster =
        ClusterSpec.of(Map.of("ps", List.of(at.get(0)), "worker", List.of(at.get(1))));
    try (JavaProgram ps = server(hosts, "--job_name", "ps", "--until-done");
        Server worker = Server.start(ServerOptions.of(cluster, "worker", 0))) {
      ps.awaitLine("serves at");

      worker.complete();

      ps.awaitSuccess();
    }
  }

  @Test
  void server_limitOfNothing_isRefused() {
    assertThat(
            CommandOutcome.of(
                    "server", "--cluster={\"a\": [\"localhost:0\"]}", "--job=a", "--stop-timeout=0")
                .err())
        .contains("--stop-timeout must be 1 to 31536000, got 0");
  }

  @Test
  void server_wrongOptions_areRefused() {
    assertThat(CommandOutcome.of("server").err()).contains("which cluster?");
    assertThat(CommandOutcome.of("server", "--cluster", "{\"a\": [\"localhost:1\"]}").err())
        .contains("Give --job");
    assertThat(CommandOutcome.of("server", "--cluster", "{\"a\"", "--job", "a").err())
        .contains("malformed cluster");
    assertThat(CommandOutcome.of("server", "--cluster", "@/no/such/file", "--job", "a").err())
        .contains("--cluster", "cannot read", "no such file")
        .doesNotContain("\tat ");
    assertThat(
            CommandOutcome.of("server", "--cluster={\"a\": [\"example.com:1\"]}", "--job=a").err())
        .contains("--insecure", "--mutual-tls", "--token-file");
    assertThat(
            CommandOutcome.of(
                    "server",
                    "--cluster={\"a\": [\"localhost:1\"]}",
                    "--job=a",
                    "--tls=/no/such/folder")
                .err())
        .contains("/no/such/folder")
        .doesNotContain("\tat ");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --threads -1                               | --threads must be 0 to 4096, got -1
          --until-done                               | --until-done waits for the tasks of other jobs
          --task_index 5                             | --job a --task 5: the cluster has no task
          --task -1                                  | --task must be 0 or more, got -1
          --insecure --token-file TOKEN              | --insecure lets any caller in, --mutual-tls and
          --ps_hosts localhost:1                     | --cluster and --ps_hosts or --worker_hosts
          --admin-certificate                        | --admin-certificate needs --mutual-tls
          --tls . --mutual-tls .                     | --mutual-tls includes --tls: use one of them
          """)
  void server_optionsThatDoNotGoTogether_areRefused(
      String options, String message, @TempDir Path folder) throws Exception {
    Path token = tokenFile(folder);
    String line = "server --cluster={\"a\":[\"localhost:0\"]} --job=a " + options;

    CommandOutcome outcome = CommandOutcome.of(line.replace("TOKEN", token.toString()).split(" "));

    assertThat(outcome.err()).contains(message);
    assertThat(outcome.exitCode()).isEqualTo(2);
  }

  @Test
  void tokenFile_thatEverybodyMayRead_isRefusedWithTheCure(@TempDir Path folder) throws Exception {
    Path open = Files.writeString(folder.resolve("open"), "0123456789abcdef");
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
    for (String option : List.of("--token-file", "--admin-token-file")) {
      CommandOutcome outcome =
          CommandOutcome.of(
              "server", "--cluster={\"a\":[\"localhost:0\"]}", "--job=a", option, open.toString());

      assertThat(outcome.err()).contains(option, "chmod 600 " + open);
      assertThat(outcome.exitCode()).isNotZero();
    }
  }

  @Test
  void certs_folderThatHasAnAuthority_needsRenewOrForce(@TempDir Path folder) throws Exception {
    String[] certs = {"certs", folder.toString(), "--cluster={\"a\":[\"localhost:1\"]}"};
    assertThat(CommandOutcome.of(certs).exitCode()).isZero();
    Path authority = folder.resolve("ca.pem");
    byte[] first = Files.readAllBytes(authority);

    assertThat(CommandOutcome.of(certs).err()).contains(folder.toString(), "--renew", "--force");
    assertThat(CommandOutcome.of(with(new String[] {"--renew", "--force"}, certs)).exitCode())
        .isEqualTo(2);
    assertThat(CommandOutcome.of(with(new String[] {"--renew"}, certs)).exitCode()).isZero();
    assertThat(authority).hasBinaryContent(first);
    assertThat(CommandOutcome.of(with(new String[] {"--force"}, certs)).exitCode()).isZero();
    assertThat(Files.readAllBytes(authority)).isNotEqualTo(first);
  }

  @Test
  void devices_nobodyThere_tells() throws Exception {
    String address = FreePorts.addresses(1).get(0);

    CommandOutcome outcome =
        CommandOutcome.of("devices", "--connect-timeout=1", "grpc://" + address);

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err().lines())
        .singleElement()
        .asString()
        .contains(address, "Connection refused", "--connect-timeout");
  }

  @Test
  void devices_taskDown_namesItAndListsTheOthers() throws Exception {
    List<String> at = FreePorts.addresses(2);
    String[] hosts = {"--ps_hosts", at.get(0), "--worker_hosts", at.get(1)};
    try (JavaProgram ps = server(hosts, "--job_name", "ps", "--task_index", "0")) {
      ps.awaitLine("serves at");

      CommandOutcome outcome = CommandOutcome.of("devices", "--timeout=3", "grpc://" + at.get(0));

      assertThat(outcome.exitCode()).isEqualTo(1);
      assertThat(outcome.out()).contains("/job:ps/replica:0/task:0/device:CPU:0");
      assertThat(outcome.err())
          .contains("/job:worker/replica:0/task:0 at " + at.get(1) + ": Connection refused")
          .contains("1 of 2 tasks are down")
          .doesNotContain("/job:ps");
    }
  }

  private static String[] with(String[] options, String... others) {
    return Stream.concat(Stream.of(others), Stream.of(options)).toArray(String[]::new);
  }

  private static JavaProgram server(String[] hosts, String... task) throws Exception {
    String[] arguments = new String[1 + hosts.length + task.length];
    arguments[0] = "server";
    System.arraycopy(hosts, 0, arguments, 1, hosts.length);
    System.arraycopy(task, 0, arguments, 1 + hosts.length, task.length);
    return JavaProgram.start(Main.class, arguments);
  }

  private static Path tokenFile(Path folder) {
    Path file = folder.resolve("token");
    JobToken.of("0123456789abcdef").write(file);
    return file;
  }
}
