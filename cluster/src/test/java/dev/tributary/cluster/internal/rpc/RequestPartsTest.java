package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.WireFormat;
import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.internal.rpc.message.MasterProto;
import dev.tributary.cluster.internal.rpc.message.WorkerProto;
import dev.tributary.cluster.spec.Limits;
import dev.tributary.cluster.testing.GrpcLoop;
import dev.tributary.cluster.testing.Recording;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import io.grpc.Status;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.CallableOptions;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;

@Timeout(60)
class RequestPartsTest {
  private static final Descriptor CREATE = MasterProto.CreateSessionRequest.getDescriptor();
  private static final int MANY = 16_000_000;

  /** Enough bytes of one field that a request is looked at. */
  private static final int SOME = 40_000;

  @Test
  void createSession_sixteenMillionEmptyNodes_areRefusedBeforeAnyIsMade() {
    ByteString request = Wire.field(1, empty(1, MANY));
    RequestParts parts = new RequestParts(CREATE, Limits.defaults());
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());

    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> parts.requireFew(request))
        .matches(e -> e.code() == ErrorCode.RESOURCE_EXHAUSTED)
        .withMessageContaining("CreateSessionRequest has more than 1000000 nodes")
        .withMessageContaining("--max-graph-nodes");

    long made = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    assertThat(made).isLessThan(10 << 20);
  }

  @Test
  void createSession_tooManyNodesAtAServer_reachNoMaster() throws Exception {
    Recording<MasterInterface> master = Recording.of(MasterInterface.class);
    Recording<WorkerInterface> worker = Recording.of(WorkerInterface.class);
    try (GrpcLoop loop = GrpcLoop.around(master.target(), worker.target());
        RawCalls raw = new RawCalls(loop.address())) {
      Status status =
          raw.status(MasterService.NAME, "CreateSession", Wire.field(1, empty(1, 1_000_001)));

      assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      assertThat(status.getDescription()).contains("--max-graph-nodes");
    }
  }

  @Test
  void nodes_ofFunctions_count() {
    ByteString function = empty(FunctionDef.NODE_DEF_FIELD_NUMBER, SOME);
    ByteString library = Wire.field(1, function);

    assertRefused(CREATE, Wire.field(1, Wire.field(GraphDef.LIBRARY_FIELD_NUMBER, library)), 1_000)
        .withMessageContaining("more than 1000 nodes");
  }

  @Test
  void partsOfNodes_areTwentyEachOnAverage() {
    ByteString inputs = empty(NodeDef.INPUT_FIELD_NUMBER, SOME);
    ByteString graph = Wire.field(1, inputs);

    assertRefused(CREATE, Wire.field(1, graph), 1_000)
        .withMessageContaining("more than 20000 names, inputs and attributes");
    assertTaken(CREATE, Wire.field(1, graph), 3_000);
  }

  @Test
  void values_insideAttributes_count() {
    ByteString shapes = empty(AttrValue.ListValue.SHAPE_FIELD_NUMBER, SOME);
    ByteString value = Wire.field(AttrValue.LIST_FIELD_NUMBER, shapes);
    ByteString node = Wire.field(NodeDef.ATTR_FIELD_NUMBER, Wire.field(2, value));

    assertRefused(
        WorkerProto.RegisterGraphRequest.getDescriptor(),
        Wire.field(2, Wire.field(1, node)),
        1_000);
  }

  @Test
  void names_outsideOfGraphs_areAsManyAsNodes() {
    ByteString fetches = empty(MasterProto.RunStepRequest.FETCH_FIELD_NUMBER, SOME);
    assertRefused(MasterProto.RunStepRequest.getDescriptor(), fetches, 1_000)
        .withMessageContaining("more than 1000 parts outside of graphs");
    assertTaken(MasterProto.RunStepRequest.getDescriptor(), fetches, SOME);

    ByteString callable = empty(CallableOptions.TARGET_FIELD_NUMBER, SOME);
    assertRefused(MasterProto.MakeCallableRequest.getDescriptor(), Wire.field(2, callable), 1_000);
  }

  @Test
  void request_withOneLargeValue_isTaken() {
    ByteString feed = Wire.field(2, ByteString.copyFrom(new byte[1 << 20]));

    assertTaken(MasterProto.RunStepRequest.getDescriptor(), Wire.field(2, feed), 10);
  }

  @Test
  void request_cutOffOrNestedTooDeeply_isLeftToItsReader() {
    ByteString nested = ByteString.copyFrom(new byte[1 << 17]);
    for (int i = 0; i < 1_000; i++) {
      nested = Wire.field(1, nested);
    }
    assertTaken(CREATE, nested, 10_000);
    assertTaken(CREATE, Wire.field(1, empty(1, SOME)).substring(0, SOME), SOME);
  }

  @Test
  void unknownNumbersAndGroups_count() {
    int unknown = 9;
    for (ByteString fields :
        List.of(
            pairs(Wire.tag(unknown, WireFormat.WIRETYPE_VARINT), 0),
            pairs(
                Wire.tag(unknown, WireFormat.WIRETYPE_START_GROUP),
                Wire.tag(unknown, WireFormat.WIRETYPE_END_GROUP)))) {
      assertRefused(CREATE, Wire.field(1, fields), 1_000);
      assertTaken(CREATE, Wire.field(1, fields), SOME);
    }
  }

  @Test
  void knownNumbers_doNotCount() {
    int field = MasterProto.RunStepRequest.REQUEST_ID_FIELD_NUMBER;
    ByteString numbers = pairs(Wire.tag(field, WireFormat.WIRETYPE_VARINT), 0);

    assertTaken(MasterProto.RunStepRequest.getDescriptor(), numbers, 10);
  }

  /** A field with nothing in it, many times. */
  private static ByteString empty(int field, int times) {
    return pairs(Wire.tag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED), 0, times);
  }

  private static ByteString pairs(int first, int second) {
    return pairs(first, second, SOME);
  }

  private static ByteString pairs(int first, int second, int times) {
    byte[] bytes = new byte[2 * times];
    for (int i = 0; i < bytes.length; i += 2) {
      bytes[i] = (byte) first;
      bytes[i + 1] = (byte) second;
    }
    return ByteString.copyFrom(bytes);
  }

  private static ThrowableAssertAlternative<TributaryException> assertRefused(
      Descriptor type, ByteString request, int nodes) {
    RequestParts parts = new RequestParts(type, Limits.defaults().withGraphNodes(nodes));
    return assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> parts.requireFew(request))
        .matches(e -> e.code() == ErrorCode.RESOURCE_EXHAUSTED);
  }

  private static void assertTaken(Descriptor type, ByteString request, int nodes) {
    RequestParts parts = new RequestParts(type, Limits.defaults().withGraphNodes(nodes));
    assertThatCode(() -> parts.requireFew(request)).doesNotThrowAnyException();
  }
}
