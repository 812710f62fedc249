package dev.tributary.app;

import dev.tributary.app.launch.OptionRange;
import dev.tributary.app.launch.SecurityArguments;
import dev.tributary.cluster.internal.session.MasterConnection;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.DeviceDescription;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists the devices of a cluster. */
@Command(
    name = "devices",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Lists the devices of all tasks of a cluster.",
      "If tasks are down, names them and exits with 1."
    })
final class DevicesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "TARGET", description = "Any server of the cluster: grpc://host:port.")
  private String target;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "How long a task may take to answer before it counts as down.")
  private int timeout;

  @Option(
      names = "--connect-timeout",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description = "How long to try a server that refuses connections or does not answer.")
  private int connectTimeout;

  @Mixin private SecurityArguments security;

  @Override
  public Integer call() {
    Duration limit = OptionRange.seconds("--timeout", timeout);
    ClusterOptions options =
        ClusterOptions.defaults()
            .withSecurity(security.ofClient())
            .withConnectTimeout(OptionRange.seconds("--connect-timeout", connectTimeout));
    List<MasterConnection.Task> tasks;
    try (MasterConnection master = MasterConnection.open(target, options)) {
      tasks = master.tasks(limit);
    }
    list(tasks.stream().flatMap(task -> task.devices().stream()).toList());
    List<String> faults = tasks.stream().flatMap(task -> task.fault().stream()).toList();
    PrintWriter err = spec.commandLine().getErr();
    faults.forEach(fault -> err.println("tributary: " + fault));
    if (!faults.isEmpty()) {
      err.printf("tributary: %d of %d tasks are down%n", faults.size(), tasks.size());
    }
    err.flush();
    return faults.isEmpty() ? 0 : 1;
  }

  private void list(List<DeviceDescription> devices) {
    int widest = devices.stream().mapToInt(device -> device.name().length()).max().orElse(0);
    PrintWriter out = spec.commandLine().getOut();
    for (DeviceDescription device : devices) {
      out.printf(
          "%-" + widest + "s  %s  %,d MiB  incarnation %016x%n",
          device.name(),
          device.type(),
          device.memoryLimit() >> 20,
          device.incarnation());
    }
    out.flush();
  }
}
