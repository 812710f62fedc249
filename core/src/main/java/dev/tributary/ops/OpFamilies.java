package dev.tributary.ops;

import dev.tributary.graph.Scope;

/**
 * The families of ops as fields: {@code tf.nn.elu(x)}, {@code tf.random.uniform(..)}. A family
 * whose public methods are all in {@link CommonOps} has a field that is not public.
 */
public abstract sealed class OpFamilies permits CommonOps {
  public final ArrayOps array;
  public final JoinOps join;
  public final SliceOps slice;
  public final IndexOps index;
  public final ScatterNdOps scatterNd;
  public final LayoutOps layout;
  public final RollOps roll;
  public final BucketOps buckets;
  public final BlockOps block;
  public final InplaceOps inplace;
  public final MatrixOps matrix;
  public final ImageOps image;
  public final MathOps math;
  public final SpecialMathOps special;
  public final SignalOps signal;
  public final BitwiseOps bitwise;
  public final CompareOps compare;
  public final ReduceOps reduce;
  public final SegmentOps segment;
  public final SequenceOps sequence;
  public final LinalgOps linalg;
  public final NnOps nn;
  public final ConvOps conv;
  public final ArgmaxPoolOps argmaxPool;
  public final Conv3dOps conv3d;
  public final Pool3dOps pool3d;
  public final MorphologyOps morphology;
  public final OrderOps order;
  public final CtcOps ctc;
  public final QuantizeOps quantize;
  public final NormOps norm;
  public final StateOps state;
  public final RefVariableOps refs;
  public final TrainingOps training;
  public final FlowOps flow;
  public final DataFlowOps dataFlow;
  public final TensorListOps lists;
  public final QueueOps queues;
  public final StagingOps staging;
  public final BarrierOps barriers;
  public final AccumulatorOps accumulators;
  public final LookupOps lookup;
  public final RandomOps random;
  public final CandidateOps candidates;
  public final StringOps strings;
  public final CountingOps counting;
  public final SparseOps sparse;
  public final RaggedOps ragged;
  public final SetOps sets;
  public final IoOps io;
  public final SummaryOps summary;
  final PoolOps pool;

  OpFamilies(Scope scope) {
    this.array = new ArrayOps(scope);
    this.join = new JoinOps(scope);
    this.slice = new SliceOps(scope);
    this.index = new IndexOps(scope);
    this.scatterNd = new ScatterNdOps(scope);
    this.layout = new LayoutOps(scope);
    this.roll = new RollOps(scope);
    this.buckets = new BucketOps(scope);
    this.block = new BlockOps(scope);
    this.inplace = new InplaceOps(scope);
    this.matrix = new MatrixOps(scope);
    this.image = new ImageOps(scope);
    this.math = new MathOps(scope);
    this.special = new SpecialMathOps(scope);
    this.signal = new SignalOps(scope);
    this.bitwise = new BitwiseOps(scope);
    this.compare = new CompareOps(scope);
    this.reduce = new ReduceOps(scope);
    this.segment = new SegmentOps(scope);
    this.sequence = new SequenceOps(scope);
    this.linalg = new LinalgOps(scope);
    this.nn = new NnOps(scope);
    this.conv = new ConvOps(scope);
    this.argmaxPool = new ArgmaxPoolOps(scope);
    this.conv3d = new Conv3dOps(scope);
    this.pool3d = new Pool3dOps(scope);
    this.morphology = new MorphologyOps(scope);
    this.order = new OrderOps(scope);
    this.ctc = new CtcOps(scope);
    this.quantize = new QuantizeOps(scope);
    this.norm = new NormOps(scope);
    this.state = new StateOps(scope);
    this.refs = new RefVariableOps(scope);
    this.training = new TrainingOps(scope);
    this.flow = new FlowOps(scope);
    this.dataFlow = new DataFlowOps(scope);
    this.lists = new TensorListOps(scope);
    this.queues = new QueueOps(scope);
    this.staging = new StagingOps(scope);
    this.barriers = new BarrierOps(scope);
    this.accumulators = new AccumulatorOps(scope);
    this.lookup = new LookupOps(scope);
    this.random = new RandomOps(scope);
    this.candidates = new CandidateOps(scope);
    this.strings = new StringOps(scope);
    this.counting = new CountingOps(scope);
    this.sparse = new SparseOps(scope);
    this.ragged = new RaggedOps(scope);
    this.sets = new SetOps(scope);
    this.io = new IoOps(scope);
    this.summary = new SummaryOps(scope);
    this.pool = new PoolOps(scope);
  }
}
