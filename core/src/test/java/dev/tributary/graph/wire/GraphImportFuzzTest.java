package dev.tributary.graph.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.TestOps;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;

/**
 * Whatever is done to a valid graph: it comes in whole, or one clear error comes out and nothing
 * has changed.
 */
@Tag("slow")
class GraphImportFuzzTest {
  private static final int ROUNDS = 3_000;

  private static final List<GraphDef> GRAPHS =
      List.of(GoldenGraphs.dense(), GoldenGraphs.loop(), GoldenGraphs.cond());

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void importInto_nodesChanged_isWholeOrNothing(long seed) {
    Random random = new Random(seed);
    int refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
      GraphDef.Builder graph = GRAPHS.get(random.nextInt(GRAPHS.size())).toBuilder();
      for (int change = random.nextInt(3); change >= 0; change--) {
        change(random, graph);
      }
      refused += comesIn(graph.build()) ? 0 : 1;
    }

    assertThat(refused).as("seed %d", seed).isBetween(ROUNDS / 10, ROUNDS - ROUNDS / 100);
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 5, 6})
  void importInto_bytesChanged_isWholeOrNothing(long seed) {
    Random random = new Random(seed);
    int parsed = 0;
    for (int round = 0; round < ROUNDS; round++) {
      byte[] bytes = GRAPHS.get(random.nextInt(GRAPHS.size())).toByteArray();
      for (int change = random.nextInt(4); change >= 0; change--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        comesIn(GraphDef.parseFrom(bytes));
        parsed++;
      } catch (InvalidProtocolBufferException e) {
        // Not a message at all: protobuf's own refusal.
        continue;
      }
    }

    assertThat(parsed).as("seed %d", seed).isGreaterThan(ROUNDS / 100);
  }

  private static boolean comesIn(GraphDef def) {
    Graph graph = TestOps.graph();
    graph.scope().withName("here").operation("Placeholder").attr("dtype", DataType.FLOAT).build();
    long tensors = liveTensors();
    try {
      GraphDefs.importInto(graph, def);
      assertThat(graph.size()).isEqualTo(def.getNodeCount() + 1);
      return true;
    } catch (TributaryException e) {
      assertThat(graph.size()).isEqualTo(1);
      // Fewer if the graph of an earlier test was collected meanwhile.
      assertThat(liveTensors()).as("tensors after %s", e).isLessThanOrEqualTo(tensors);
      return false;
    }
  }

  private static void change(Random random, GraphDef.Builder graph) {
    int at = random.nextInt(graph.getNodeCount());
    NodeDef.Builder node = graph.getNodeBuilder(at);
    NodeDef other = graph.getNode(random.nextInt(graph.getNodeCount()));
    switch (random.nextInt(11)) {
      case 0 -> node.setName(random.nextBoolean() ? other.getName() : text(random, node.getName()));
      case 1 -> node.setOp(random.nextBoolean() ? other.getOp() : text(random, node.getOp()));
      case 2 -> node.addInput(random.nextBoolean() ? other.getName() : "^" + other.getName());
      case 3 -> {
        if (node.getInputCount() > 0) {
          int input = random.nextInt(node.getInputCount());
          node.setInput(
              input, random.nextBoolean() ? other.getName() : text(random, node.getInput(input)));
        }
      }
      case 4 -> {
        if (node.getInputCount() > 0) {
          List<String> inputs = new ArrayList<>(node.getInputList());
          inputs.remove(random.nextInt(inputs.size()));
          node.clearInput().addAllInput(inputs);
        }
      }
      case 5 -> node.setDevice(text(random, "/job:ps/task:0"));
      case 6 -> node.putAllAttr(other.getAttrMap());
      case 7 -> {
        if (node.getAttrCount() > 0) {
          List<String> names = new ArrayList<>(node.getAttrMap().keySet());
          String name = names.get(random.nextInt(names.size()));
          if (random.nextInt(4) == 0) {
            node.removeAttr(name);
          } else {
            node.putAttr(name, value(random));
          }
        }
      }
      case 8 -> graph.removeNode(at);
      case 9 -> graph.addNode(other);
      default ->
          graph.addNode(
              random.nextInt(graph.getNodeCount()),
              graph.getNode(at).toBuilder().setName("new" + at));
    }
  }

  private static String text(Random random, String text) {
    if (text.isEmpty()) {
      return "";
    }
    String parts = ":/^_-*0a1 \u00e4";
    int at = random.nextInt(text.length());
    char c = parts.charAt(random.nextInt(parts.length()));
    return text.substring(0, at) + c + text.substring(random.nextBoolean() ? at : at + 1);
  }

  private static AttrValue value(Random random) {
    AttrValue.Builder value = AttrValue.newBuilder();
    switch (random.nextInt(9)) {
      case 0 -> value.setI(random.nextLong());
      case 1 -> value.setI(random.nextInt(5) - 1);
      case 2 -> value.setTypeValue(random.nextInt(130));
      case 3 -> value.setS(ByteString.copyFrom(new byte[] {(byte) random.nextInt()}));
      case 4 -> value.getShapeBuilder().addDimBuilder().setSize(random.nextLong());
      case 5 -> value.getTensorBuilder().setDtypeValue(random.nextInt(25)).addFloatVal(1);
      case 6 -> value.getListBuilder().addI(1).addTypeValue(1);
      case 7 ->
          value
              .getFuncBuilder()
              .setName("f")
              .putAttr("x", AttrValue.newBuilder().setB(true).build());
      default -> value.setPlaceholder("T");
    }
    return value.build();
  }

  private static long liveTensors() {
    return Allocator.shared().stats().liveBuffers();
  }
}
