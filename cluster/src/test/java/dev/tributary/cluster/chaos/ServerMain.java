package dev.tributary.cluster.chaos;

import dev.tributary.cluster.server.FastPaths;
import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.server.ServersForTest;
import dev.tributary.cluster.server.TimeLimits;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import java.time.Duration;

/**
 * One task in a process of its own, until its input ends: {@code CLUSTER JOB TASK SILENCE_MS
 * FAST_PATHS}.
 */
final class ServerMain {
  private ServerMain() {}

  public static void main(String[] arguments) throws Exception {
    TaskName task = new TaskName(arguments[1], Integer.parseInt(arguments[2]));
    Duration silence = Duration.ofMillis(Long.parseLong(arguments[3]));
    ServerOptions options =
        ServersForTest.options(ClusterSpec.parseJson(arguments[0]), task)
            .withTimes(TimeLimits.defaults().withSilence(silence))
            .withFastPaths(FastPaths.valueOf(arguments[4]))
            .withStreamPort(Integer.parseInt(arguments[5]));
    try (Server server = Server.start(options)) {
      System.out.println("serves at " + server.target());
      while (System.in.read() >= 0) {
        // Nobody writes; only the end counts.
      }
    }
  }
}
