package dev.tributary.ops;

import dev.tributary.graph.Scope;

/** The families of ops as fields: {@code tf.nn.elu(x)}, {@code tf.random.uniform(..)}. */
public abstract sealed class OpFamilies permits CommonOps {
  public final ArrayOps array;
  public final JoinOps join;
  public final SliceOps slice;
  public final IndexOps index;
  public final LayoutOps layout;
  public final MathOps math;
  public final CompareOps compare;
  public final ReduceOps reduce;
  public final SegmentOps segment;
  public final SequenceOps sequence;
  public final LinalgOps linalg;
  public final NnOps nn;
  public final ConvOps conv;
  public final NormOps norm;
  public final StateOps state;
  public final RefVariableOps refs;
  public final TrainingOps training;
  public final FlowOps flow;
  public final DataFlowOps dataFlow;
  public final QueueOps queues;
  public final AccumulatorOps accumulators;
  public final LookupOps lookup;
  public final RandomOps random;
  public final StringOps strings;
  public final IoOps io;
  public final SummaryOps summary;

  OpFamilies(Scope scope) {
    this.array = new ArrayOps(scope);
    this.join = new JoinOps(scope);
    this.slice = new SliceOps(scope);
    this.index = new IndexOps(scope);
    this.layout = new LayoutOps(scope);
    this.math = new MathOps(scope);
    this.compare = new CompareOps(scope);
    this.reduce = new ReduceOps(scope);
    this.segment = new SegmentOps(scope);
    this.sequence = new SequenceOps(scope);
    this.linalg = new LinalgOps(scope);
    this.nn = new NnOps(scope);
    this.conv = new ConvOps(scope);
    this.norm = new NormOps(scope);
    this.state = new StateOps(scope);
    this.refs = new RefVariableOps(scope);
    this.training = new TrainingOps(scope);
    this.flow = new FlowOps(scope);
    this.dataFlow = new DataFlowOps(scope);
    this.queues = new QueueOps(scope);
    this.accumulators = new AccumulatorOps(scope);
    this.lookup = new LookupOps(scope);
    this.random = new RandomOps(scope);
    this.strings = new StringOps(scope);
    this.io = new IoOps(scope);
    this.summary = new SummaryOps(scope);
  }
}
