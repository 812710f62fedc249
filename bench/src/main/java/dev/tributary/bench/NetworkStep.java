package dev.tributary.bench;

import dev.tributary.bench.network.Network;
import dev.tributary.session.Session;
import dev.tributary.session.StepCallable;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** A network in a session of some runtime, initialized, with its feeds ready. Owns all of it. */
interface NetworkStep extends AutoCloseable {
  /** Makes a step of a network, in the runtime that is measured. */
  @FunctionalInterface
  interface Runtime {
    NetworkStep open(Network network);
  }

  /** Runs the step and drops what it fetches. */
  void run();

  /** Runs the step; the values that it fetches. */
  float[] fetch();

  @Override
  void close();

  /** Opens a network in a session of Tributary. */
  static NetworkStep tributary(Network network) {
    Session session = Session.local(network.graph());
    network.initializer().ifPresent(session::run);
    StepCallable step =
        session.prepare(network.placeholders(), List.of(network.fetch()), network.targets());
    List<Tensor> owned = new ArrayList<>();
    network.feeds().forEach(feed -> owned.add(Tensor.of(feed.shape(), feed.values())));
    Tensor[] feeds = owned.toArray(new Tensor[0]);
    return new NetworkStep() {
      @Override
      public void run() {
        step.run(feeds).close();
      }

      @Override
      public float[] fetch() {
        try (StepResult result = step.run(feeds)) {
          return result.get(0).toFloats();
        }
      }

      @Override
      public void close() {
        owned.forEach(Tensor::close);
        step.close();
        session.close();
      }
    };
  }
}
