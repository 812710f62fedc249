package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.ops.Ops;
import dev.tributary.record.Compression;
import dev.tributary.session.Session;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import dev.tributary.train.data.Dataset;
import dev.tributary.train.data.DatasetIterator;
import dev.tributary.train.data.Pair;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Elements that one runtime saves and the other one loads. */
@RequiresStockTensorFlow
@NoLeaks
@Timeout(120)
class SavedElementsInteropTest {
  private static final int ELEMENTS = 150;

  @TempDir private Path folder;

  /** Graphs that save elements and load them again. */
  private final Ops tf = Ops.create();

  private Operation save;
  private Operation initializer;
  private Output number;
  private Output name;

  private void build(Compression compression) {
    String[] names = IntStream.range(0, ELEMENTS).mapToObj(i -> "n" + i).toArray(String[]::new);
    Dataset<Pair<Output, Output>> dataset =
        Dataset.zip(Dataset.range(ELEMENTS), Dataset.tensorSlices(names));
    save = dataset.save(tf, folder, compression);
    DatasetIterator<Pair<Output, Output>> iterator =
        Dataset.load(folder, dataset.spec(), compression).initializableIterator(tf);
    initializer = iterator.initializer();
    Pair<Output, Output> next = iterator.next();
    number = next.first();
    name = next.second();
  }

  private static List<String> expected() {
    return IntStream.range(0, ELEMENTS).mapToObj(i -> i + " n" + i).toList();
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void elements_savedHere_areLoadedByStock(Compression compression) {
    build(compression);
    try (Session ours = Session.local(tf.graph())) {
      ours.run(save);
    }
    List<String> loaded = new ArrayList<>();
    try (StockSession stock = new StockSession(GraphDefs.toProto(tf.graph()))) {
      run(stock, initializer);
      for (int i = 0; i < ELEMENTS; i++) {
        List<Tensor> element = stock.run(Map.of(), List.of(number.name(), name.name()), List.of());
        loaded.add(text(element.get(0), element.get(1)));
        element.forEach(Tensor::close);
      }
    }
    tf.graph().close();
    assertThat(loaded).isEqualTo(expected());
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void elements_savedByStock_areLoadedHere(Compression compression) {
    build(compression);
    try (StockSession stock = new StockSession(GraphDefs.toProto(tf.graph()))) {
      run(stock, save);
    }
    List<String> loaded = new ArrayList<>();
    try (Session ours = Session.local(tf.graph())) {
      ours.run(initializer);
      for (int i = 0; i < ELEMENTS; i++) {
        try (var element = ours.runner().fetch(number).fetch(name).run()) {
          loaded.add(text(element.get(0), element.get(1)));
        }
      }
    }
    tf.graph().close();
    assertThat(loaded).isEqualTo(expected());
  }

  private static void run(StockSession stock, Operation target) {
    stock.run(Map.of(), List.of(), List.of(target.name())).forEach(Tensor::close);
  }

  private static String text(Tensor number, Tensor name) {
    return number.longValue() + " " + name.stringValue();
  }
}
