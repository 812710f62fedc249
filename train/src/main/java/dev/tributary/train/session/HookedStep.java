package dev.tributary.train.session;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.session.RunOptions;
import dev.tributary.session.StepResult;
import dev.tributary.session.StepRunner;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.hook.SessionRunArgs;
import dev.tributary.train.hook.SessionRunContext;
import dev.tributary.train.hook.SessionRunHook;
import dev.tributary.train.hook.SessionRunValues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * One step with the additions of hooks. Owns the tensors that hooks feed, until it is closed.
 * Confined to one thread.
 */
final class HookedStep implements AutoCloseable {
  private final SessionRunContext context;
  private final List<SessionRunHook> hooks;
  private final List<SessionRunArgs> added = new ArrayList<>();

  private HookedStep(SessionRunContext context, List<SessionRunHook> hooks) {
    this.context = context;
    this.hooks = hooks;
  }

  /** Collects the additions of all hooks. */
  static HookedStep before(SessionRunContext context, List<SessionRunHook> hooks) {
    HookedStep step = new HookedStep(context, hooks);
    try {
      hooks.forEach(hook -> step.added.add(hook.beforeRun(context)));
      return step;
    } catch (RuntimeException | Error e) {
      step.close();
      throw e;
    }
  }

  /** Runs the step and calls all hooks after it. Returns the values of the caller's fetches. */
  StepResult run() {
    List<Output> asked = context.originalArgs().fetches();
    try (StepResult all = merged().run()) {
      int next = asked.size();
      for (int i = 0; i < hooks.size(); i++) {
        int end = next + added.get(i).fetches().size();
        SessionRunValues values = new SessionRunValues(all.subList(next, end), all.trace());
        hooks.get(i).afterRun(context, values);
        next = end;
      }
      return new StepResult(
          asked, all.subList(0, asked.size()).stream().map(Tensor::retain).toList(), all.trace());
    }
  }

  @Override
  public void close() {
    added.forEach(args -> args.feeds().values().forEach(Tensor::close));
  }

  private StepRunner merged() {
    SessionRunArgs original = context.originalArgs();
    StepRunner runner = context.session().runner().fetch(original.fetches());
    added.forEach(args -> runner.fetch(args.fetches()));
    mergedFeeds(original).forEach(runner::feed);
    Set<Operation> targets = new LinkedHashSet<>(original.targets());
    added.forEach(args -> targets.addAll(args.targets()));
    targets.forEach(runner::target);
    RunOptions options = original.options();
    for (SessionRunArgs args : added) {
      options = merged(options, args.options());
    }
    return runner.options(options);
  }

  /** Merges all feeds in the graph's order, since steps are cached by the order of feeds. */
  private Map<Output, Tensor> mergedFeeds(SessionRunArgs original) {
    Map<Output, Tensor> feeds =
        new TreeMap<>(
            Comparator.<Output>comparingInt(output -> output.operation().id())
                .thenComparingInt(Output::index));
    feeds.putAll(original.feeds());
    for (SessionRunArgs args : added) {
      args.feeds()
          .forEach(
              (output, value) -> {
                if (feeds.putIfAbsent(output, value) != null) {
                  throw TributaryException.invalidArgument(
                      "%s is fed twice, by the step or its hooks", output);
                }
              });
    }
    return feeds;
  }

  /** Merges options: traces if either does, with the longer of the timeouts. */
  private static RunOptions merged(RunOptions a, RunOptions b) {
    Optional<Duration> timeout =
        Stream.of(a, b).flatMap(options -> options.timeout().stream()).max(Duration::compareTo);
    return new RunOptions(timeout, a.trace() || b.trace());
  }
}
