package dev.tributary.ops;

import dev.tributary.graph.Scope;

/**
 * The families of ops as fields, by the names of TensorFlow's modules: {@code tf.nn.elu(x)}, {@code
 * tf.random.uniform(..)}.
 */
abstract sealed class OpFamilies permits CommonOps {
  public final ArrayOps array;
  public final ImageOps image;
  public final MathOps math;
  public final SignalOps signal;
  public final BitwiseOps bitwise;
  public final LinalgOps linalg;
  public final NnOps nn;
  public final QuantizeOps quantize;
  public final StateOps state;
  public final TrainingOps training;
  public final FlowOps flow;
  public final DataFlowOps dataFlow;
  public final TensorListOps lists;
  public final CollectiveOps collectives;
  public final QueueOps queues;
  public final LookupOps lookup;
  public final RandomOps random;
  public final StringOps strings;
  public final SparseOps sparse;
  public final RaggedOps ragged;
  public final SetOps sets;
  public final IoOps io;
  public final SummaryOps summary;

  OpFamilies(Scope scope) {
    this.array = new ArrayOps(scope);
    this.image = new ImageOps(scope);
    this.math = new MathOps(scope);
    this.signal = new SignalOps(scope);
    this.bitwise = new BitwiseOps(scope);
    this.linalg = new LinalgOps(scope);
    this.nn = new NnOps(scope);
    this.quantize = new QuantizeOps(scope);
    this.state = new StateOps(scope);
    this.training = new TrainingOps(scope);
    this.flow = new FlowOps(scope);
    this.dataFlow = new DataFlowOps(scope);
    this.lists = new TensorListOps(scope);
    this.collectives = new CollectiveOps(scope);
    this.queues = new QueueOps(scope);
    this.lookup = new LookupOps(scope);
    this.random = new RandomOps(scope);
    this.strings = new StringOps(scope);
    this.sparse = new SparseOps(scope);
    this.ragged = new RaggedOps(scope);
    this.sets = new SetOps(scope);
    this.io = new IoOps(scope);
    this.summary = new SummaryOps(scope);
  }
}
