package dev.tributary.examples.distribution;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.tensor.DataType;
import dev.tributary.train.distribute.CrossDeviceOps;
import dev.tributary.train.distribute.MirroredStrategy;
import dev.tributary.train.distribute.PerReplica;
import dev.tributary.train.distribute.ReduceOp;
import dev.tributary.train.distribute.Strategy;
import java.util.List;

/** Sums values of replicas by an algorithm of this program, which sends them as half floats. */
public final class OwnAllReduce {
  /** Halves what travels between devices, and adds in full precision. */
  static final class InHalfPrecision implements CrossDeviceOps {
    @Override
    public List<Output> sum(Ops tf, List<Output> values, List<String> destinations) {
      List<Output> sent =
          values.stream()
              .map(value -> tf.colocatedWith(value.operation()).cast(value, DataType.HALF))
              .toList();
      return destinations.stream().map(device -> sumOn(tf.withDevice(device), sent)).toList();
    }

    private static Output sumOn(Ops there, List<Output> sent) {
      return there.addN(sent.stream().map(one -> there.cast(one, DataType.FLOAT)).toList());
    }
  }

  private OwnAllReduce() {}

  public static void main(String[] arguments) {
    Strategy strategy = MirroredStrategy.of(3).withCrossDeviceOps(new InHalfPrecision());
    Ops tf = Ops.create();
    PerReplica<Output> sums =
        strategy.run(
            tf,
            replica -> {
              Output own = replica.tf().constant(0.1f + replica.replicaId());
              return replica.allReduce(ReduceOp.SUM, own);
            });
    SessionOptions options = strategy.configure(SessionOptions.defaults());
    try (Session session = Session.local(tf.graph(), options)) {
      for (Output sum : strategy.localResults(sums)) {
        System.out.printf("%.3f%n", session.fetch(sum).floatValue());
      }
    }
  }
}
