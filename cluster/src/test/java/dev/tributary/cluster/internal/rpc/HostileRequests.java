package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import dev.tributary.cluster.internal.rpc.HostileMessages.Request;
import dev.tributary.cluster.internal.rpc.message.MasterProto;
import dev.tributary.cluster.internal.rpc.message.TaskProto;
import dev.tributary.cluster.internal.rpc.message.WorkerProto;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.ops.Ops;
import dev.tributary.ops.QueueOptions;
import dev.tributary.ops.TensorArray;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.FunctionGraphs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

/**
 * The table of what a hostile client asks for, made from a seed. Its requests leave alone what
 * belongs to everybody, as any client may clear that. Confined to one thread.
 */
final class HostileRequests {
  /** One kind of request. */
  enum Row {
    MALFORMED,
    HUGE_CONSTANT,
    HUGE_FEED_SHAPE,
    HUGE_VALUE,
    FEED_THAT_DOES_NOT_FIT,
    UNKNOWN_SESSION,
    UNKNOWN_GRAPH,
    UNKNOWN_FETCH,
    UNKNOWN_PROCEDURE,
    PUSH_WITHOUT_STEP,
    PUSH_WITHOUT_SESSION,
    WAIT_FOR_NOTHING,
    ENDLESS_LOOP,
    ENDLESS_FUNCTION,
    BLOCKING_READ,
    BAD_FILE_NAME,
    OVERFLOWING_SHAPE,
    HUGE_TENSOR_ARRAY,
    HUGE_LIST,
    HUGE_TRANSFORM,
    HUGE_IMAGE,
    UNPACKS_TO_MUCH,
    ENDLESS_PIPELINE,
    BAD_PIPELINE,
    FUNCTION_BOMB,
    RECURSION,
    ABANDONED_SESSION,
    MANY_NODES,
    MILLIONS_OF_EMPTY_NODES,
    MILLIONS_OF_UNKNOWN_FIELDS,
    LONG_NAMES,
    RESET_STREAM
  }

  /** These end the sessions or the state of others. */
  private static final Set<String> OF_EVERYBODY = Set.of("Reset", "CleanupAll");

  private static final ConfigProto LOGS_DEVICES =
      ConfigProto.newBuilder().setLogDevicePlacement(true).build();

  private static final List<Integer> HUGE_SIZES =
      List.of(1 << 26, 1 << 30, Integer.MAX_VALUE - 8, Integer.MAX_VALUE);

  private static final String CPU = "/job:local/replica:0/task:0/device:CPU:0";

  private final Random random;
  private final HostileMessages messages;
  private final int memory;
  private final List<ByteString> largeImages = HostileFiles.images();
  private final ByteString packed = HostileFiles.packed(1 << 28);
  private final ByteString manyNodes;
  private final ByteString emptyNodes;
  private final ByteString unknownFields;
  private final ByteString graph;
  private String session = "";

  /**
   * @param memory the limit of the server
   * @param nodes more than a graph may have
   * @param blockingFile has no end
   */
  HostileRequests(long seed, int memory, int nodes, Path blockingFile) {
    this.random = new Random(seed);
    this.messages = new HostileMessages(seed);
    this.memory = memory;
    this.manyNodes = graphOf(nodes);
    this.emptyNodes = emptyFields(1, WireFormat.WIRETYPE_LENGTH_DELIMITED, memory / 8);
    this.unknownFields = emptyFields(9, WireFormat.WIRETYPE_VARINT, memory / 8);
    this.graph = stepsToMisuse(blockingFile);
  }

  /** The graph of the session that requests use. */
  ByteString graph() {
    return graph;
  }

  void useSession(String handle) {
    session = handle;
    messages.knowSession(handle);
  }

  Request next(Row row) {
    return switch (row) {
      case MALFORMED -> malformed();
      case HUGE_CONSTANT -> create(hugeConstant());
      case HUGE_FEED_SHAPE -> run(named("x:0", tensor(1L << 40, ByteString.EMPTY)), "y:0");
      case HUGE_VALUE -> run(named("n:0", length(memory)), "filled:0");
      case FEED_THAT_DOES_NOT_FIT -> run(named("x:0", tensor(memory / 4, zeros(memory))), "y:0");
      case UNKNOWN_SESSION ->
          new Request(
              MasterService.NAME,
              "RunStep",
              MasterProto.RunStepRequest.newBuilder()
                  .setSessionHandle("session" + random.nextInt())
                  .build()
                  .toByteString());
      case UNKNOWN_GRAPH ->
          new Request(
              WorkerService.NAME,
              "RunGraph",
              WorkerProto.RunGraphRequest.newBuilder()
                  .setSessionHandle(session)
                  .setCreateWorkerSessionCalled(true)
                  .setGraphHandle("ffff")
                  .setStepId(random.nextLong())
                  .build()
                  .toByteString());
      case UNKNOWN_FETCH -> run(named("x:0", tensor(1, zeros(4))), "nothing" + random.nextInt());
      case UNKNOWN_PROCEDURE -> new Request(WorkerService.NAME, "Bogus", ByteString.EMPTY);
      case PUSH_WITHOUT_STEP -> push(session);
      case PUSH_WITHOUT_SESSION -> push("session" + random.nextInt());
      case WAIT_FOR_NOTHING -> run(named("x:0", tensor(1, zeros(4))), "dequeued:0");
      case ENDLESS_LOOP -> run(named("x:0", tensor(1, zeros(4))), "looped:0");
      case ENDLESS_FUNCTION ->
          run(named("x:0", tensor(1, zeros(4))).concat(named("where:0", text(CPU))), "called:0");
      case BLOCKING_READ -> run(named("x:0", tensor(1, zeros(4))), "read:0");
      case BAD_FILE_NAME -> run(named("file:0", text("a\0b" + random.nextInt())), "named:0");
      case OVERFLOWING_SHAPE -> run(named("n:0", length(1 << 30)), "shaped:0");
      case HUGE_TENSOR_ARRAY -> run(named("size:0", number(Integer.MAX_VALUE)), "array:0");
      case HUGE_LIST -> run(named("size:0", number(oneOf(HUGE_SIZES))), oneOf(HostileSteps.LISTS));
      case HUGE_TRANSFORM ->
          run(named("n:0", length(oneOf(HUGE_SIZES))), oneOf(HostileSteps.TRANSFORMS));
      case HUGE_IMAGE -> run(named("bytes:0", text(oneOf(largeImages))), "image:0");
      case UNPACKS_TO_MUCH -> run(named("bytes:0", text(packed)), "unpacked:0");
      case ENDLESS_PIPELINE ->
          run(named("x:0", tensor(1, zeros(4))), oneOf(HostilePipelines.ENDLESS) + ":0");
      case BAD_PIPELINE ->
          run(named("x:0", tensor(1, zeros(4))), oneOf(HostilePipelines.BAD) + ":0");
      case FUNCTION_BOMB -> create(HostilePipelines.functionBomb());
      case RECURSION -> create(HostilePipelines.recursion());
      case ABANDONED_SESSION -> create(graph);
      case MANY_NODES -> create(manyNodes);
      case MILLIONS_OF_EMPTY_NODES -> create(emptyNodes);
      case MILLIONS_OF_UNKNOWN_FIELDS -> create(unknownFields);
      case LONG_NAMES -> create(longNames(), LOGS_DEVICES);
      case RESET_STREAM -> run(named("x:0", tensor(1 << 18, zeros(1 << 20))), "y:0");
    };
  }

  private <T> T oneOf(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private Request malformed() {
    Request request = messages.next();
    while (OF_EVERYBODY.contains(request.method())) {
      request = messages.next();
    }
    return request;
  }

  private Request push(String handle) {
    return new Request(
        TaskService.NAME,
        "PushTensor",
        TaskProto.PushTensorRequest.newBuilder()
            .setSessionHandle(handle)
            .setStepId(random.nextLong())
            .setRendezvousKey(CPU + ";1;" + CPU + ";x;0:0")
            .setAnswer(Wire.field(1, tensor(memory / 64, zeros(memory / 16))))
            .build()
            .toByteString());
  }

  private static Request create(ByteString def) {
    return create(def, ConfigProto.getDefaultInstance());
  }

  private static Request create(ByteString def, ConfigProto config) {
    return new Request(
        MasterService.NAME,
        "CreateSession",
        MasterProto.CreateSessionRequest.newBuilder()
            .setGraphDef(def)
            .setConfig(config.toByteString())
            .build()
            .toByteString());
  }

  private Request run(ByteString feed, String fetch) {
    return new Request(
        MasterService.NAME,
        "RunStep",
        MasterProto.RunStepRequest.newBuilder()
            .setSessionHandle(session)
            .addFetch(fetch)
            .build()
            .toByteString()
            .concat(feed));
  }

  /** A feed, as a field of RunStepRequest. */
  private static ByteString named(String name, ByteString tensor) {
    return Wire.field(2, Wire.field(1, name).concat(Wire.field(2, tensor)));
  }

  private static ByteString tensor(long length, ByteString content) {
    ByteString shape = Wire.field(2, Wire.field(2, Wire.field(1, length)));
    return Wire.field(1, 1).concat(shape).concat(Wire.field(4, content));
  }

  private static ByteString length(int elements) {
    return TensorProto.newBuilder()
        .setDtype(org.tensorflow.proto.DataType.DT_INT32)
        .setTensorShape(
            TensorShapeProto.newBuilder().addDim(TensorShapeProto.Dim.newBuilder().setSize(1)))
        .addIntVal(elements)
        .build()
        .toByteString();
  }

  private static ByteString number(int value) {
    return TensorProto.newBuilder()
        .setDtype(org.tensorflow.proto.DataType.DT_INT32)
        .addIntVal(value)
        .build()
        .toByteString();
  }

  private static ByteString text(String value) {
    return text(ByteString.copyFromUtf8(value));
  }

  private static ByteString text(ByteString value) {
    return TensorProto.newBuilder()
        .setDtype(org.tensorflow.proto.DataType.DT_STRING)
        .addStringVal(value)
        .build()
        .toByteString();
  }

  /** Names that nobody wants in a log, some of nodes that cannot be. */
  private ByteString longNames() {
    String name = (random.nextBoolean() ? "a" : "a\n") + "x".repeat(200_000);
    return GraphDef.newBuilder()
        .addNode(NodeDef.newBuilder().setName(name).setOp("NoOp"))
        .build()
        .toByteString();
  }

  private static ByteString zeros(int bytes) {
    return UnsafeByteOperations.unsafeWrap(new byte[bytes]);
  }

  /** A few bytes that stand for 4 TiB. */
  private static ByteString hugeConstant() {
    return GraphDef.newBuilder()
        .addNode(
            NodeDef.newBuilder()
                .setName("huge")
                .setOp("Const")
                .putAttr(
                    "dtype",
                    AttrValue.newBuilder().setType(org.tensorflow.proto.DataType.DT_FLOAT).build())
                .putAttr(
                    "value",
                    AttrValue.newBuilder()
                        .setTensor(
                            TensorProto.newBuilder()
                                .setDtype(org.tensorflow.proto.DataType.DT_FLOAT)
                                .setTensorShape(
                                    TensorShapeProto.newBuilder()
                                        .addDim(
                                            TensorShapeProto.Dim.newBuilder().setSize(1L << 40)))
                                .addFloatVal(1))
                        .build()))
        .build()
        .toByteString();
  }

  private static ByteString graphOf(int nodes) {
    List<NodeDef> all = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      all.add(NodeDef.newBuilder().setName("n" + i).setOp("NoOp").build());
    }
    return GraphDef.newBuilder().addAllNode(all).build().toByteString();
  }

  /** Fields of two bytes each, the second one 0, and far more on the heap for their reader. */
  private static ByteString emptyFields(int number, int wireType, int count) {
    byte[] fields = new byte[2 * count];
    for (int i = 0; i < count; i++) {
      fields[2 * i] = (byte) Wire.tag(number, wireType);
    }
    return UnsafeByteOperations.unsafeWrap(fields);
  }

  private static ByteString stepsToMisuse(Path blockingFile) {
    Ops tf = Ops.create();
    tf.withName("y").neg(tf.withName("x").placeholder(DataType.FLOAT, Shape.unknown()));
    Output n = tf.withName("n").placeholder(DataType.INT32, Shape.of(1));
    tf.withName("filled").fill(n, tf.constant(1f));
    tf.withName("shaped").reshape(tf.constant(1f), tf.concat(0, n, n, n));
    Output size = tf.withName("size").placeholder(DataType.INT32, Shape.scalar());
    tf.withName("array").identity(TensorArray.of(tf, DataType.FLOAT, Shape.scalar(), size).stack());
    Output file = tf.withName("file").placeholder(DataType.STRING, Shape.scalar());
    tf.withName("named").io.readFile(file);
    var queue = tf.queues.fifoQueue(QueueOptions.of(1, DataType.FLOAT));
    tf.withName("dequeued").identity(queue.dequeue().get(0));
    Output looped =
        tf.flow
            .whileLoop(
                List.of(tf.constant(0f)),
                (inner, values) -> inner.less(values.get(0), inner.constant(1f)),
                (inner, values) -> List.of(inner.mul(values.get(0), inner.constant(0.5f))))
            .get(0);
    tf.withName("looped").identity(looped);
    tf.withName("read").io.readFile(tf.constant(blockingFile.toString()));
    HostileSteps.add(tf, n, size);
    GraphDef def = GraphDefs.toProto(tf.graph());
    tf.graph().close();
    return def.toBuilder()
        .mergeFrom(FunctionGraphs.def(FunctionGraphs.endlessCall("called", "where", "x")))
        .mergeFrom(HostilePipelines.graph())
        .setVersions(def.getVersions())
        .build()
        .toByteString();
  }
}
