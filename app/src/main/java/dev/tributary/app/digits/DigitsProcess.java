package dev.tributary.app.digits;

import dev.tributary.graph.Graph;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;

/** Trains in this process alone. */
final class DigitsProcess {
  private DigitsProcess() {}

  static DigitsReport train(DigitsSettings settings) {
    Ops tf = Ops.create();
    tf.graph().setSeed(settings.seed());
    DigitsNetwork network = DigitsNetwork.build(tf, settings.data(), settings.rate());
    try (Graph graph = tf.graph();
        Session session =
            Session.local(graph, SessionOptions.defaults().withBackend(settings.backend()))) {
      session.run(network.initialize());
      DigitsTraining training =
          new DigitsTraining(network, session, settings.data(), settings.batch(), settings.seed());
      long start = System.nanoTime();
      float loss;
      try (Progress progress = new ProgressOnTerminal("training", settings.steps())) {
        loss = training.train(settings.steps(), progress);
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      long images = (long) settings.epochs() * settings.data().training().size();
      return new DigitsReport(settings.steps(), images, seconds, loss, training.test());
    }
  }
}
