package dev.tributary.app;

import dev.tributary.app.launch.SecurityArguments;
import dev.tributary.cluster.session.MasterConnection;
import dev.tributary.error.TributaryException;
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
    description = "Lists the devices of all tasks of a cluster, as one of its servers sees them.")
final class DevicesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private SecurityArguments security;

  @Parameters(paramLabel = "TARGET", description = "A server: grpc://host:port.")
  private String target;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "How long to wait for the server and the tasks that it asks.")
  private int timeout;

  @Override
  public Integer call() {
    if (timeout < 1) {
      throw TributaryException.invalidArgument("--timeout must be 1 or more, got %d", timeout);
    }
    try (MasterConnection master = MasterConnection.open(target, security.ofClient())) {
      List<DeviceDescription> devices = master.devices(Duration.ofSeconds(timeout));
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
    return 0;
  }
}
