package dev.tributary.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.app.launch.Roles;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostsTest {
  @TempDir Path folder;

  @Test
  void assign_tasks_goToHostsInTurnWithinTheirSlots() throws Exception {
    Hosts hosts = hosts("# two machines\n\nann@a slots=1\nb slots=3 # large\n");

    assertThat(hosts.assign(Roles.ofCluster(1, 3, true)).entrySet())
        .extracting(entry -> entry.getKey().job() + " at " + entry.getValue().login())
        .containsExactly("ps at ann@a", "chief at b", "worker at b", "worker at b");
    assertThatThrownBy(() -> hosts.assign(Roles.ofCluster(2, 3, true)))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("slots for 4 tasks, but there are 5");
  }

  @Test
  void onHosts_tasksOfOneMachine_haveTheNextPort() throws Exception {
    Placement placement =
        Placement.onHosts(
            hosts("ann@a\nb\n"),
            new Ssh(List.of("ssh"), folder),
            Roles.ofCluster(1, 2, true),
            true,
            3000);

    assertThat(placement.roles().addresses().values())
        .containsExactly("a:3000", "b:3000", "a:3001");
    assertThat(placement.program(new TaskName("chief", 0), List.of("true")).command())
        .startsWith("ssh", "b");
  }

  @ParameterizedTest
  @CsvSource({
    "a slots=0, line 1 of",
    "a b, line 1 of",
    "-o ProxyCommand=x, line 1 of",
    "-ox, line 1 of",
    "# nothing, names no host",
  })
  void read_wrongLine_isRefused(String text, String message) {
    assertThatThrownBy(() -> hosts(text))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("--hosts")
        .hasMessageContaining(message);
  }

  @Test
  void read_hostTwice_isRefused() {
    assertThatThrownBy(() -> hosts("ann@a\nbob@a\n")).hasMessageContaining("names a twice");
  }

  private Hosts hosts(String text) throws Exception {
    return Hosts.read(Files.writeString(folder.resolve("hosts"), text));
  }
}
