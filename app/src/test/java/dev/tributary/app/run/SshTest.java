package dev.tributary.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script that runs on the other machine, run here. */
@Tag("processes")
@Timeout(60)
class SshTest {
  @TempDir Path folder;

  @Test
  void command_connectionThatEnds_endsItsProcess() throws Exception {
    Path ready = folder.resolve("ready");
    Process shell =
        shell("trap 'echo told to end; exit 7' TERM; touch " + ready + "; sleep 50 & wait");
    try {
      while (!Files.exists(ready)) {
        assertThat(shell.isAlive()).isTrue();
        Thread.onSpinWait();
      }

      shell.getOutputStream().close();

      assertThat(shell.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(shell.exitValue()).isEqualTo(7);
      assertThat(output(shell)).contains("told to end");
    } finally {
      shell.descendants().forEach(ProcessHandle::destroyForcibly);
      shell.destroyForcibly();
    }
  }

  @Test
  void command_wordsVariablesAndFolder_arriveAsTheyWere() throws Exception {
    Process shell = shell("echo \"$NAME\" in $PWD; exit 3");

    assertThat(shell.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(shell.exitValue()).isEqualTo(3);
    assertThat(output(shell)).isEqualTo("it's \"$HOME\" `x` in " + folder.toRealPath() + "\n");
  }

  @Test
  void command_folderThatIsMissing_isARefusedConfiguration() throws Exception {
    List<String> words =
        new Ssh(List.of("sh", "-c"), folder.resolve("missing"))
            .command(new Hosts.Host("host", 1), Map.of(), List.of("true"));
    Process shell = new ProcessBuilder("sh", "-c", words.get(3)).start();

    assertThat(shell.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(shell.exitValue()).isEqualTo(78);
  }

  private Process shell(String script) throws Exception {
    List<String> words =
        new Ssh(List.of("ssh", "-v"), folder.toRealPath())
            .command(
                new Hosts.Host("ann@host", 1),
                Map.of("NAME", "it's \"$HOME\" `x`"),
                List.of("sh", "-c", script));
    assertThat(words).startsWith("ssh", "-v", "ann@host").hasSize(4);
    return new ProcessBuilder("sh", "-c", words.get(3)).start();
  }

  private static String output(Process process) throws Exception {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
