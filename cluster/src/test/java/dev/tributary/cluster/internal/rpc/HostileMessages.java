package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.DynamicMessage;
import dev.tributary.cluster.internal.rpc.message.MasterProto;
import dev.tributary.cluster.internal.rpc.message.WorkerProto;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.tensorflow.proto.CallableOptions;
import org.tensorflow.proto.ClusterDef;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.JobDef;
import org.tensorflow.proto.RunOptions;
import org.tensorflow.proto.ServerDef;

/**
 * Requests to all procedures of both services, made from a seed: bytes at random, messages of the
 * right form with values that are wrong, and such messages with bytes changed or cut off. Confined
 * to one thread.
 */
final class HostileMessages {
  record Request(String service, String method, ByteString bytes) {}

  private static final int MOST_NESTED = 500;

  private final Random random;
  private final HostileGraphs graphs;
  private final List<MethodDescriptor> methods = new ArrayList<>();
  private String sessionHandle = "";

  HostileMessages(long seed) {
    random = new Random(seed);
    graphs = new HostileGraphs(random);
    methods.addAll(MasterProto.getDescriptor().findServiceByName("MasterService").getMethods());
    methods.addAll(WorkerProto.getDescriptor().findServiceByName("WorkerService").getMethods());
  }

  /** A session that exists, so that some messages get further than others. */
  void knowSession(String handle) {
    sessionHandle = handle;
  }

  Request next() {
    MethodDescriptor method = methods.get(random.nextInt(methods.size()));
    return new Request(
        method.getService().getFullName(), method.getName(), bytes(method.getInputType()));
  }

  private ByteString bytes(Descriptor type) {
    return switch (random.nextInt(6)) {
      case 0 -> graphs.bytes(random.nextInt(300));
      case 1, 2 -> damaged(message(type).toByteString());
      case 3 -> random.nextInt(20) == 0 ? nested() : message(type).toByteString();
      default -> message(type).toByteString();
    };
  }

  private ByteString damaged(ByteString message) {
    if (message.isEmpty()) {
      return message;
    }
    byte[] bytes = message.substring(0, 1 + random.nextInt(message.size())).toByteArray();
    for (int i = random.nextInt(4); i >= 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    return ByteString.copyFrom(bytes);
  }

  /** A message in a message in a message ... */
  private ByteString nested() {
    ByteString inner = ByteString.EMPTY;
    for (int i = random.nextInt(MOST_NESTED); i > 0; i--) {
      inner = Wire.field(1 + random.nextInt(3), inner);
    }
    return inner;
  }

  private DynamicMessage message(Descriptor type) {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
    for (FieldDescriptor field : type.getFields()) {
      if (field.isRepeated()) {
        for (int i = random.nextInt(3); i > 0; i--) {
          message.addRepeatedField(field, value(field));
        }
      } else if (random.nextInt(5) > 0) {
        message.setField(field, value(field));
      }
    }
    return message.build();
  }

  private Object value(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case STRING -> text(field.getName());
      case BYTE_STRING -> content(field.getName());
      case LONG -> random.nextInt(3) == 0 ? graphs.size() : (long) random.nextInt(50);
      case INT -> (int) graphs.size();
      case BOOLEAN -> random.nextBoolean();
      case DOUBLE -> random.nextBoolean() ? Double.NaN : random.nextDouble();
      case MESSAGE -> message(field.getMessageType());
      default -> throw new IllegalStateException("no values for " + field);
    };
  }

  private String text(String field) {
    if (random.nextInt(10) == 0) {
      return graphs.bytes(random.nextInt(40)).toString(StandardCharsets.ISO_8859_1);
    }
    return switch (field) {
      case "session_handle" -> sessionHandle;
      case "graph_handle" -> "000000000000000" + random.nextInt(10);
      case "rendezvous_key" ->
          "/job:local/replica:0/task:0/device:CPU:0;1;" + graphs.device() + ";x;0:0";
      case "device_filters" -> graphs.device();
      case "container" -> random.nextBoolean() ? "" : "c";
      default -> random.nextBoolean() ? "n" + random.nextInt(5) + ":0" : "x:0";
    };
  }

  private ByteString content(String field) {
    return switch (field) {
      case "graph_def" -> graphs.graph().toByteString();
      case "tensor", "feed" -> graphs.tensor().toByteString();
      case "config", "config_proto" -> config().toByteString();
      case "options" -> random.nextBoolean() ? runOptions() : callableOptions();
      case "server_def" ->
          ServerDef.newBuilder()
              .setCluster(cluster())
              .setJobName("local")
              .setTaskIndex(random.nextInt(3) - 1)
              .build()
              .toByteString();
      default -> graphs.bytes(random.nextInt(30));
    };
  }

  private ConfigProto config() {
    ConfigProto.Builder config = ConfigProto.newBuilder().setIsolateSessionState(true);
    if (random.nextInt(4) == 0) {
      config.addDeviceFilters(graphs.device());
    }
    if (random.nextInt(8) == 0) {
      config.setClusterDef(cluster());
    }
    return config.setOperationTimeoutInMs(random.nextInt(200) - 50).build();
  }

  private ClusterDef cluster() {
    String address = List.of("localhost:1", "::", "", "nowhere.invalid:2").get(random.nextInt(4));
    return ClusterDef.newBuilder()
        .addJob(
            JobDef.newBuilder()
                .setName(random.nextBoolean() ? "local" : "?")
                .putTasks(random.nextInt(3) - 1, address))
        .build();
  }

  private ByteString runOptions() {
    return RunOptions.newBuilder()
        .setTimeoutInMs(random.nextInt(100) - 10)
        .setTraceLevelValue(random.nextInt(5))
        .build()
        .toByteString();
  }

  private ByteString callableOptions() {
    return CallableOptions.newBuilder()
        .addFeed("x:0")
        .addFetch("n" + random.nextInt(5) + ":0")
        .addTarget("n" + random.nextInt(5))
        .build()
        .toByteString();
  }
}
