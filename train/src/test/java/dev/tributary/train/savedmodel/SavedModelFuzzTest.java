package dev.tributary.train.savedmodel;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.tributary.error.TributaryException;
import dev.tributary.session.RunOptions;
import dev.tributary.session.SessionOptions;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.SavedModelFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.SavedModel.Builder;

/**
 * Whatever is done to the files of a model: it loads and runs, or one clear error comes out;
 * nothing hangs, and nothing is leaked. {@code -Dfuzz.models=100000} is the long form, {@code
 * -Dfuzz.seed=N} repeats a run.
 */
@NoLeaks
@Timeout(value = 4, unit = TimeUnit.HOURS)
@Tag("slow")
class SavedModelFuzzTest {
  private static final int MODELS = Integer.getInteger("fuzz.models", 300);
  private static final long SEED = Long.getLong("fuzz.seed", 1);
  private static final SessionOptions OPTIONS =
      SessionOptions.defaults().withInterOpThreads(1).withIntraOpThreads(1);
  private static final RunOptions LIMIT = RunOptions.defaults().withTimeout(Duration.ofSeconds(20));

  @TempDir Path folder;

  @Test
  void load_filesChanged_loadsOrFailsClearly() throws IOException {
    List<Path> models =
        List.of(
            SavedModelFolder.halfPlusTwo(folder.resolve("half")).write(),
            SavedModelFolder.dense(folder.resolve("dense")).write(),
            SavedModelFolder.reference(folder.resolve("reference")).write(),
            SavedModelFolder.vocabulary(folder.resolve("vocabulary")).write(),
            SavedModelFolder.estimator(folder.resolve("estimator")).write());
    Random random = new Random(SEED);
    int refused = 0;
    for (int i = 0; i < MODELS; i++) {
      Path model = models.get(i % models.size());
      boolean inMessage = random.nextInt(4) > 0;
      Path file = inMessage ? model.resolve("saved_model.pb") : otherFile(model, random);
      byte[] whole = Files.readAllBytes(file);
      Files.write(
          file,
          inMessage && random.nextBoolean() ? rewired(random, whole) : bytesChanged(random, whole));
      try {
        refused += runs(model, random) ? 0 : 1;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + SEED + ", model " + i + " " + model, e);
      } finally {
        Files.write(file, whole);
      }
    }

    assertThat(refused).as("seed %d", SEED).isBetween(MODELS / 20, MODELS - MODELS / 20);
  }

  /** A file of variables or an asset. */
  private static Path otherFile(Path model, Random random) throws IOException {
    try (Stream<Path> files = Files.walk(model)) {
      List<Path> others =
          files
              .filter(file -> Files.isRegularFile(file) && !file.endsWith("saved_model.pb"))
              .sorted()
              .toList();
      return others.get(random.nextInt(others.size()));
    }
  }

  private static boolean runs(Path folder, Random random) {
    try (SavedModel model = SavedModel.load(folder, Set.of("serve"), OPTIONS)) {
      boolean runs = true;
      for (Signature signature : model.signatures().values()) {
        runs &= runs(signature, random);
      }
      return runs;
    } catch (TributaryException e) {
      assertThat(e).hasMessageContaining(folder.toString());
      return false;
    }
  }

  private static boolean runs(Signature signature, Random random) {
    Map<String, Tensor> inputs = new HashMap<>();
    try {
      signature.inputs().forEach((name, info) -> inputs.put(name, input(info, random)));
      signature.run(inputs, List.copyOf(signature.outputs().keySet()), LIMIT).close();
      return true;
    } catch (TributaryException e) {
      assertThat(e.getMessage()).isNotBlank();
      return false;
    } finally {
      inputs.values().forEach(Tensor::close);
    }
  }

  private static Tensor input(TensorInfo info, Random random) {
    Shape shape = Shape.scalar();
    for (int i = 0; info.shape().hasRank() && i < Math.min(4, info.shape().rank()); i++) {
      long size = info.shape().size(i);
      shape = shape.concatenate(Shape.of(size < 0 ? random.nextInt(3) : Math.min(size, 5)));
    }
    return info.type() == DataType.STRING
        ? Tensor.of(
            shape, Collections.nCopies((int) shape.elementCount(), "").toArray(new String[0]))
        : Tensor.zeros(info.type(), shape);
  }

  // ---- changes ----

  private static byte[] bytesChanged(Random random, byte[] whole) {
    if (random.nextInt(5) == 0) {
      return Arrays.copyOf(whole, random.nextInt(whole.length));
    }
    byte[] changed = whole.clone();
    for (int i = random.nextInt(3); i >= 0; i--) {
      changed[random.nextInt(changed.length)] = (byte) random.nextInt();
    }
    return changed;
  }

  private static byte[] rewired(Random random, byte[] whole) throws IOException {
    Builder model = org.tensorflow.proto.SavedModel.parseFrom(whole).toBuilder();
    GraphDef.Builder graph = model.getMetaGraphsBuilder(0).getGraphDefBuilder();
    List<NodeDef.Builder> nodes = graph.getNodeBuilderList();
    if (graph.getLibrary().getFunctionCount() > 0 && random.nextBoolean()) {
      nodes =
          graph
              .getLibraryBuilder()
              .getFunctionBuilder(random.nextInt(graph.getLibrary().getFunctionCount()))
              .getNodeDefBuilderList();
    }
    NodeDef.Builder node = nodes.get(random.nextInt(nodes.size()));
    NodeDef.Builder other = nodes.get(random.nextInt(nodes.size()));
    switch (random.nextInt(7)) {
      case 0 -> node.setOp(other.getOp());
      case 1 -> node.clearInput().addAllInput(other.getInputList());
      case 2 -> node.addInput(other.getName());
      case 3 -> node.putAllAttr(other.getAttrMap());
      case 4 -> List.copyOf(node.getAttrMap().keySet()).stream().limit(1).forEach(node::removeAttr);
      case 5 -> node.setName(other.getName());
      default ->
          node.putAttr(
              "value", AttrValue.newBuilder().setS(ByteString.copyFromUtf8("odd")).build());
    }
    return model.build().toByteArray();
  }
}
