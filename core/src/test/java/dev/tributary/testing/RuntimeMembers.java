package dev.tributary.testing;

import java.util.Map;

/**
 * Public members of API types that are not API, since their signatures name internal types. Each
 * line has the reason why our own packages reach it this way. Keep the list short.
 */
final class RuntimeMembers {
  private static final String BUILDS_GRAPHS = "importers, functions and rewrites build graphs";
  private static final String READS_DECLARATIONS = "placement, plans and kernels read declarations";
  private static final String WRITES_MESSAGES = "the cluster writes graphs without defaults";
  private static final String RUNS_STEPS = "the cluster's sessions run steps as the local one does";
  private static final String MANAGES_MEMORY =
      "kernels and transports manage the memory of tensors";

  static final Map<String, String> REASONS =
      Map.ofEntries(
          Map.entry("dev.tributary.graph.Graph#new", BUILDS_GRAPHS),
          Map.entry("dev.tributary.graph.Graph#registry", BUILDS_GRAPHS),
          Map.entry("dev.tributary.graph.Graph#functions", BUILDS_GRAPHS),
          Map.entry("dev.tributary.graph.Graph#changeFunctions", BUILDS_GRAPHS),
          Map.entry("dev.tributary.graph.Graph#replaceByValues", BUILDS_GRAPHS),
          Map.entry("dev.tributary.graph.Graph#lookup", READS_DECLARATIONS),
          Map.entry("dev.tributary.graph.Graph#declaration", READS_DECLARATIONS),
          Map.entry("dev.tributary.graph.Operation#declaration", READS_DECLARATIONS),
          Map.entry("dev.tributary.graph.Operation#knownValue", READS_DECLARATIONS),
          Map.entry("dev.tributary.ops.GraphFunction#traced", "benchmarks call functions by name"),
          Map.entry("dev.tributary.ops.Ops#registry", READS_DECLARATIONS),
          Map.entry("dev.tributary.graph.wire.GraphDefs#toProto", WRITES_MESSAGES),
          Map.entry("dev.tributary.graph.wire.GraphDefs#reachable", WRITES_MESSAGES),
          Map.entry("dev.tributary.session.BackendChoice#backend", RUNS_STEPS),
          Map.entry("dev.tributary.session.RunningStep#of", RUNS_STEPS),
          Map.entry("dev.tributary.session.StepRunner$Target#run", RUNS_STEPS),
          Map.entry("dev.tributary.session.StepRunner$Target#start", RUNS_STEPS),
          Map.entry("dev.tributary.tensor.Tensor#allocate", MANAGES_MEMORY),
          Map.entry("dev.tributary.tensor.Tensor#allocateShared", MANAGES_MEMORY),
          Map.entry("dev.tributary.tensor.Tensor#zeros", MANAGES_MEMORY),
          Map.entry("dev.tributary.tensor.Tensor#ofBytes", MANAGES_MEMORY),
          Map.entry("dev.tributary.tensor.Tensor#over", MANAGES_MEMORY),
          Map.entry("dev.tributary.tensor.Tensor#storage", MANAGES_MEMORY),
          Map.entry("dev.tributary.tensor.Tensor#held", MANAGES_MEMORY),
          Map.entry("dev.tributary.tensor.Tensor#hold", MANAGES_MEMORY));

  private RuntimeMembers() {}
}
