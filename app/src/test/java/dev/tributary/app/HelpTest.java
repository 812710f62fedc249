package dev.tributary.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class HelpTest {
  static Stream<String> commands() {
    return commands("", new CommandLine(new Main()));
  }

  private static Stream<String> commands(String above, CommandLine command) {
    return command.getSubcommands().entrySet().stream()
        .flatMap(
            below ->
                Stream.concat(
                    Stream.of(above + below.getKey()),
                    commands(above + below.getKey() + " ", below.getValue())));
  }

  private static CommandOutcome help(String command) {
    return CommandOutcome.of((command + " --help").split(" "));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void help_ofEachCommand_showsNothingThatOnlyJavaKnows(String command) {
    CommandOutcome help = help(command);

    assertThat(help.exitCode()).isZero();
    assertThat(help.out()).contains("Usage: tributary " + command);
    assertThat(help.out()).doesNotContain("Optional", "null", "dev.tributary", "[]");
    assertThat(help.out().lines()).noneMatch(line -> line.strip().equals("Default:"));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void help_ofEachCommand_fitsATerminalAndExplainsEachOptionByItself(String command) {
    String help = help(command).out();

    assertThat(help.lines()).allMatch(line -> line.length() <= 80);
    assertThat(help).doesNotContain("The same");
  }

  @Test
  void help_ofServer_hasOptionsInTheOrderOfDeclarationUnderHeadings() {
    assertThat(CommandOutcome.of("server", "--help").out())
        .containsSubsequence(
            "\nCluster (",
            "--cluster=",
            "--ps_hosts=",
            "--worker_hosts=",
            "\nTask:",
            "--job, --job_name=",
            "--task, --task_index=",
            "\nSecurity:",
            "--tls=",
            "--mutual-tls=",
            "--token-file=",
            "--admin-token-file=",
            "\nLimits on requests:",
            "--max-message-bytes=",
            "--max-graph-nodes=",
            "--max-graph-bytes=",
            "\nTime limits:",
            "--session-timeout=",
            "--session-lease=",
            "\nOptions:",
            "--backend=",
            "--help");
  }
}
