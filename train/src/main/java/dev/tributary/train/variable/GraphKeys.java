package dev.tributary.train.variable;

import dev.tributary.ops.LookupOps;
import dev.tributary.ops.Variable;

/** The names of a graph's collections, as TensorFlow has them. */
public final class GraphKeys {
  /** Variables that all workers share. */
  public static final String GLOBAL_VARIABLES = Variable.VARIABLES;

  /** Variables that optimizers change. */
  public static final String TRAINABLE_VARIABLES = Variable.TRAINABLE_VARIABLES;

  /** Variables of one process, which no checkpoint holds. */
  public static final String LOCAL_VARIABLES = Variable.LOCAL_VARIABLES;

  public static final String MODEL_VARIABLES = "model_variables";
  public static final String METRIC_VARIABLES = "metric_variables";

  /** Variables that have a moving average. */
  public static final String MOVING_AVERAGE_VARIABLES = "moving_average_variables";

  public static final String GLOBAL_STEP = "global_step";
  public static final String LOSSES = "losses";
  public static final String REGULARIZATION_LOSSES = "regularization_losses";

  /** Operations to run with each training step, such as those of batch normalisation. */
  public static final String UPDATE_OPS = "update_ops";

  public static final String TRAIN_OP = "train_op";
  public static final String INIT_OP = "init_op";
  public static final String LOCAL_INIT_OP = "local_init_op";
  public static final String READY_OP = "ready_op";
  public static final String READY_FOR_LOCAL_INIT_OP = "ready_for_local_init_op";
  public static final String SUMMARIES = "summaries";
  public static final String SUMMARY_OP = "summary_op";
  public static final String SAVERS = "savers";

  /** Iterators that savers take along besides variables. */
  public static final String SAVEABLE_OBJECTS = "saveable_objects";

  public static final String QUEUE_RUNNERS = "queue_runners";
  public static final String TABLE_INITIALIZERS = "table_initializer";

  /** Constants with the paths of files that the graph reads; a SavedModel holds these files. */
  public static final String ASSET_FILEPATHS = LookupOps.ASSET_FILEPATHS;

  /** The operation that makes a loaded SavedModel ready, in place of the one that fills tables. */
  public static final String MAIN_OP = "saved_model_main_op";

  private GraphKeys() {}
}
