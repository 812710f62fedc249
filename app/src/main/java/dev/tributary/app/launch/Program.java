package dev.tributary.app.launch;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The program that the process of a task runs.
 *
 * @param environment variables that are added to those of this process
 * @param logsOutput whether its standard output belongs into its log, as its standard error does
 */
public record Program(List<String> command, Map<String, String> environment, boolean logsOutput) {
  public Program {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
  }

  /** This program with other arguments; it ends with this process, however that ends. */
  public static Program ofThis(Class<?> main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmFlags());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    command.add(ParentWatch.OPTION);
    return new Program(command, Map.of(), false);
  }

  /** This program with more variables in its environment. */
  public Program withEnvironment(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(environment);
    all.putAll(more);
    return new Program(command, all, logsOutput);
  }

  /** Flags of this virtual machine that its children need, too; agents are for this one alone. */
  private static List<String> jvmFlags() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> !flag.startsWith("-agent") && !flag.startsWith("-javaagent"))
        .toList();
  }
}
