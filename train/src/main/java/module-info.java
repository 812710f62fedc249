/**
 * Input pipelines, optimizers, layers, checkpoints, hooks, synchronous replicas and supervised
 * training.
 */
module dev.tributary.train {
  requires transitive dev.tributary.core;
  requires com.google.gson;
  requires org.slf4j;
  requires static com.google.errorprone.annotations; // For the compiler.

  exports dev.tributary.train.data;
  exports dev.tributary.train.distribute;
  exports dev.tributary.train.estimator;
  exports dev.tributary.train.feature;
  exports dev.tributary.train.hook;
  exports dev.tributary.train.model;
  exports dev.tributary.train.optimizer;
  exports dev.tributary.train.queue;
  exports dev.tributary.train.replica;
  exports dev.tributary.train.savedmodel;
  exports dev.tributary.train.saver;
  exports dev.tributary.train.session;
  exports dev.tributary.train.variable;
}
