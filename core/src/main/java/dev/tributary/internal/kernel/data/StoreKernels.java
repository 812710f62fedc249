package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.bundle.StoredElements;
import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.text.FarmHash;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.record.Compression;
import dev.tributary.tensor.Tensor;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The kernels of ops that save the elements of datasets in files and read them again. The form of
 * tensors in the files is given from outside, since kernels know no messages.
 */
public final class StoreKernels {
  private final Function<Tensor, byte[]> write;
  private final BiFunction<Allocator, byte[], Tensor> read;

  /**
   * @param write the message of a tensor
   * @param read the tensor of a message
   */
  public StoreKernels(Function<Tensor, byte[]> write, BiFunction<Allocator, byte[], Tensor> read) {
    this.write = write;
    this.read = read;
  }

  /** Saves all elements in its step, and has no output. */
  public AsyncKernel save(KernelNode node) {
    StageFunction.Maker shards = StageFunction.of(node, "shard_func");
    return new SingleElement(
        node,
        new ElementSpec(List.of(), List.of()),
        c -> {
          Dataset input = Dataset.input(c, 0);
          ElementStore store = store(node, c.input(1).stringValue(), "", input.spec());
          StageFunction shardFunction = shardFunction(node, c, shards, 2);
          Optional<StageFunction> used = usedShardFunction(node, shardFunction);
          return new SingleElement.Pass(
              context -> new StoringIterator(context, store, input.begin(context), used, false),
              shardFunction::close);
        });
  }

  /** A dataset whose elements are saved by each pass over them. */
  public Kernel savedOnPass(KernelNode node) {
    ElementSpec spec = ElementSpec.of(node);
    StageFunction.Maker shards = StageFunction.of(node, "shard_func");
    return c -> {
      Dataset input = Dataset.input(c, 0);
      ElementStore store = store(node, c.input(1).stringValue(), "", spec);
      StageFunction shardFunction = shardFunction(node, c, shards, 2);
      Optional<StageFunction> used = usedShardFunction(node, shardFunction);
      CallingKernels.setOrRelease(
          c,
          node,
          spec,
          input.cardinality(),
          false,
          List.of(input),
          shardFunction::close,
          context -> new StoringIterator(context, store, input.iterator(context), used, true));
    };
  }

  /** Saved elements. */
  public Kernel load(KernelNode node) {
    ElementSpec spec = ElementSpec.of(node);
    StageFunction.Maker readers = StageFunction.of(node, "reader_func");
    int captures = node.attributes().types("Treader_func_args").size();
    return c -> {
      ElementStore store = store(node, c.input(0).stringValue(), "", spec);
      StageFunction readerFunction = readers.make(c, 1, captures);
      CallingKernels.setOrRelease(
          c,
          node,
          spec,
          Cardinality.UNKNOWN,
          false,
          List.of(),
          readerFunction::close,
          context -> new StoredIterator(context, store, readerFunction, Optional::empty));
    };
  }

  /** The elements of the input, which the first complete pass saves and later ones read. */
  public Kernel snapshot(KernelNode node) {
    ElementSpec spec = ElementSpec.of(node);
    StageFunction.Maker readers = StageFunction.of(node, "reader_func");
    StageFunction.Maker shards = StageFunction.of(node, "shard_func");
    int captures = node.attributes().types("Treader_func_args").size();
    requireNoPrefix(node, "reader_prefix");
    requireNoPrefix(node, "writer_prefix");
    return c -> {
      Dataset input = Dataset.input(c, 0);
      String part = Long.toUnsignedString(hash(node, input));
      ElementStore store = store(node, c.input(1).stringValue(), part, spec);
      StageFunction readerFunction = readers.make(c, 2, captures);
      StageFunction shardFunction = shardFunction(node, c, shards, 2 + captures);
      CallingKernels.setOrRelease(
          c,
          node,
          spec,
          input.cardinality(),
          false,
          List.of(input),
          () -> {
            readerFunction.close();
            shardFunction.close();
          },
          context ->
              new StoredIterator(
                  context,
                  store,
                  readerFunction,
                  () ->
                      Optional.of(
                          new StoringIterator(
                              context,
                              store,
                              input.iterator(context),
                              Optional.of(shardFunction),
                              true))));
    };
  }

  private static void requireNoPrefix(KernelNode node, String attribute) {
    if (!node.attributes().string(attribute).isEmpty()) {
      throw TributaryException.unimplemented(
          "%s: %s is '%s', but elements are read and written below `path` only",
          DatasetKernels.stage(node), attribute, node.attributes().string(attribute));
    }
  }

  private ElementStore store(KernelNode node, String folder, String part, ElementSpec spec) {
    Compression compression = Compression.named(node.attributes().string("compression"));
    return new ElementStore(
        DatasetKernels.stage(node),
        folder,
        part,
        spec,
        new StoredElements.Format(compression, write, read));
  }

  private static StageFunction shardFunction(
      KernelNode node, KernelContext c, StageFunction.Maker maker, int first) {
    return maker.make(c, first, node.attributes().types("Tshard_func_args").size());
  }

  private static Optional<StageFunction> usedShardFunction(
      KernelNode node, StageFunction function) {
    return node.attributes().bool("use_shard_func") ? Optional.of(function) : Optional.empty();
  }

  /** The name of a pipeline's folder, which says as much of its stages as they tell. */
  private static long hash(KernelNode node, Dataset input) {
    if (node.attributes().bool("hash_valid")) {
      return node.attributes().integer("hash");
    }
    StringBuilder text = new StringBuilder();
    describe(input, text);
    return FarmHash.fingerprint64(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static void describe(Dataset dataset, StringBuilder text) {
    text.append(dataset.op()).append(dataset.cardinality()).append(dataset.spec()).append('(');
    dataset.inputs().forEach(input -> describe(input, text));
    text.append(')');
  }
}
