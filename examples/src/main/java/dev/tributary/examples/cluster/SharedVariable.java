package dev.tributary.examples.cluster;

import dev.tributary.graph.Operation;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;

/**
 * Two sessions on two servers of one cluster see one variable: {@code SharedVariable
 * grpc://localhost:2222 grpc://localhost:2223}, on a cluster with the job {@code local}. It asks
 * for no device, so the variable lives on the first task of the cluster, whichever server a session
 * is at.
 */
public final class SharedVariable {
  private SharedVariable() {}

  public static void main(String[] arguments) {
    Ops tf = Ops.create();
    Variable variable = tf.variable("variable", 0f);
    Operation increment = variable.assignAdd(tf.constant(1f));
    Operation init = tf.globalVariablesInitializer();

    try (Session first = Session.open(arguments[0], tf.graph());
        Session second = Session.open(arguments[1], tf.graph())) {
      first.run(init);
      second.run(init);
      System.out.println("Value in first session: " + first.fetch(variable).floatValue());
      System.out.println("Value in second session: " + second.fetch(variable).floatValue());
      first.run(increment);
      System.out.println("Incremented in first session");
      System.out.println("Value in first session: " + first.fetch(variable).floatValue());
      System.out.println("Value in second session: " + second.fetch(variable).floatValue());
    }
  }
}
