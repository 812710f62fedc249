package dev.tributary.internal.wire;

import static dev.tributary.tensor.DataType.RESOURCE;
import static dev.tributary.tensor.DataType.STRING;
import static dev.tributary.tensor.DataType.VARIANT;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.AllocatorStats;
import dev.tributary.internal.memory.NativeStorage;
import dev.tributary.internal.memory.PooledAllocator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.TensorProto;

/** Whatever bytes arrive: a tensor, or one clear error, and nothing left behind. */
class TensorProtosFuzzTest {
  private static final int ROUNDS = 20_000;

  private final SmallMachine machine = new SmallMachine();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void toTensor_randomMessages_makesATensorOrAClearError(long seed) {
    Random random = new Random(seed);
    int tensors = 0;
    for (int i = 0; i < ROUNDS; i++) {
      tensors += decode(randomMessage(random)) ? 1 : 0;
    }

    assertThat(tensors).as("seed %d", seed).isBetween(ROUNDS / 100, ROUNDS - ROUNDS / 100);
    assertThat(machine.stats().liveBuffers()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 5, 6})
  void toTensor_messagesWithBytesChanged_makesATensorOrAClearError(long seed) {
    Random random = new Random(seed);
    int parsed = 0;
    for (int i = 0; i < ROUNDS; i++) {
      byte[] bytes = randomMessage(random).toByteArray();
      for (int change = random.nextInt(4); change >= 0; change--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        decode(TensorProto.parseFrom(bytes));
        parsed++;
      } catch (InvalidProtocolBufferException e) {
        // Not a message at all: protobuf's own refusal, long before a tensor is made.
        continue;
      }
    }

    assertThat(parsed).as("seed %d", seed).isGreaterThan(ROUNDS / 20);
    assertThat(machine.stats().liveBuffers()).isZero();
  }

  @Test
  void toTensor_randomBytes_makesATensorOrAClearError() {
    Random random = new Random(7);
    for (int i = 0; i < ROUNDS; i++) {
      byte[] bytes = new byte[random.nextInt(24)];
      random.nextBytes(bytes);
      try {
        decode(TensorProto.parseFrom(bytes));
      } catch (InvalidProtocolBufferException e) {
        continue;
      }
    }

    assertThat(machine.stats().liveBuffers()).isZero();
  }

  /**
   * Whether the message made a tensor; any failure but a {@link TributaryException} goes through.
   */
  private boolean decode(TensorProto proto) {
    if (asksForHeap(proto)) {
      return false;
    }
    try {
      TensorProtos.toTensor(machine, proto).close();
      return true;
    } catch (TributaryException e) {
      assertThat(e.code())
          .isIn(ErrorCode.INVALID_ARGUMENT, ErrorCode.UNIMPLEMENTED, ErrorCode.RESOURCE_EXHAUSTED);
      assertThat(e.getMessage()).isNotBlank();
      return false;
    }
  }

  /** Whether this wants a large array on the Java heap, which the small machine does not bound. */
  private static boolean asksForHeap(TensorProto proto) {
    boolean object =
        List.of(STRING, RESOURCE, VARIANT).stream()
            .anyMatch(type -> type.number() == proto.getDtypeValue());
    return object
        && proto.getTensorShape().getDimList().stream().anyMatch(dim -> dim.getSize() > 1 << 10);
  }

  private static TensorProto randomMessage(Random random) {
    TensorProto.Builder proto = TensorProto.newBuilder().setDtypeValue(1 + random.nextInt(24));
    for (int i = random.nextInt(3); i > 0; i--) {
      proto
          .getTensorShapeBuilder()
          .addDimBuilder()
          .setSize(random.nextInt(40) == 0 ? random.nextLong() : random.nextInt(4));
    }
    if (random.nextInt(3) == 0) {
      byte[] content = new byte[random.nextInt(3) * random.nextInt(9)];
      for (int i = 0; i < content.length; i++) {
        content[i] = (byte) (random.nextBoolean() ? random.nextInt() : random.nextInt(3));
      }
      proto.setTensorContent(ByteString.copyFrom(content));
    }
    for (int i = random.nextInt(6); i > 0; i--) {
      addValue(proto, random);
    }
    return proto.build();
  }

  private static void addValue(TensorProto.Builder proto, Random random) {
    switch (random.nextInt(8)) {
      case 0 -> proto.addFloatVal(random.nextFloat());
      case 1 -> proto.addDoubleVal(random.nextDouble());
      case 2 -> proto.addIntVal(random.nextInt());
      case 3 -> proto.addInt64Val(random.nextLong());
      case 4 -> proto.addHalfVal(random.nextInt());
      case 5 -> proto.addBoolVal(random.nextBoolean());
      case 6 -> proto.addStringVal(ByteString.copyFromUtf8(Integer.toString(random.nextInt())));
      default -> proto.addResourceHandleValBuilder().setName("r");
    }
  }

  /**
   * An allocator with little memory, so that a message which asks for much of it is cheap to
   * refuse.
   */
  private static final class SmallMachine implements Allocator {
    private final PooledAllocator pool = new PooledAllocator(1 << 16, false);

    @Override
    public NativeStorage allocate(long bytes) {
      if (bytes > 1 << 16) {
        throw new TributaryException(ErrorCode.RESOURCE_EXHAUSTED, "a small machine");
      }
      return pool.allocate(bytes);
    }

    @Override
    public void recycle(NativeStorage storage) {
      pool.recycle(storage);
    }

    @Override
    public AllocatorStats stats() {
      return pool.stats();
    }
  }
}
