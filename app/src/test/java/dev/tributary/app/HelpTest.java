package dev.tributary.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class HelpTest {
  static Stream<String> commands() {
    return new CommandLine(new Main()).getSubcommands().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void help_ofEachCommand_showsNothingThatOnlyJavaKnows(String command) {
    CommandOutcome help = CommandOutcome.of(command, "--help");

    assertThat(help.exitCode()).isZero();
    assertThat(help.out()).contains("Usage: tributary " + command);
    assertThat(help.out()).doesNotContain("Optional", "null", "dev.tributary", "[]");
    assertThat(help.out().lines()).noneMatch(line -> line.strip().equals("Default:"));
  }
}
