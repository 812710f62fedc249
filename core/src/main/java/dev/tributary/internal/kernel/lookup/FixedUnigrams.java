package dev.tributary.internal.kernel.lookup;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.io.FileKernel;
import dev.tributary.internal.kernel.random.CandidateRange;
import dev.tributary.internal.kernel.random.Candidates;
import dev.tributary.internal.kernel.random.GuardedPhilox;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The weights of FixedUnigramCandidateSampler, from its attributes or from a file with a class in
 * each line, whose last field is its weight.
 */
public final class FixedUnigrams {
  /** More classes without a weight than any vocabulary reserves; they take memory. */
  private static final long MOST_RESERVED = 1 << 20;

  private final long range;
  private final float distortion;
  private final long shards;
  private final long shard;
  private final List<Float> weights = new ArrayList<>();

  /** The number of the next class among those of all shards. */
  private long number;

  private FixedUnigrams(Attributes attributes) {
    this.range = attributes.integer("range_max");
    this.distortion = attributes.real("distortion");
    this.shards = attributes.integer("num_shards");
    this.shard = attributes.integer("shard");
    long reserved = attributes.integer("num_reserved_ids");
    if (reserved < 0 || reserved > MOST_RESERVED) {
      throw TributaryException.invalidArgument(
          "num_reserved_ids must be between 0 and %d, got %d", MOST_RESERVED, reserved);
    }
    for (long i = 0; i < reserved; i++) {
      add(0);
    }
    // TensorFlow counts on from the reserved classes of this shard.
    number = weights.size();
  }

  /** The kernel of the op. A file is read once, in the first call. */
  public static Kernel kernel(KernelNode node, GuardedPhilox state) {
    Attributes attributes = node.attributes();
    String file = attributes.string("vocab_file");
    List<AttrValue> unigrams = attributes.list("unigrams");
    if (file.isEmpty() == unigrams.isEmpty()) {
      throw TributaryException.invalidArgument(
          "Must provide either vocab_file or unigrams, got %s", file.isEmpty() ? "none" : "both");
    }
    return file.isEmpty()
        ? new Candidates(node, of(attributes, unigrams), state)
        : readingFirst(node, file, state);
  }

  private static Kernel readingFirst(KernelNode node, String file, GuardedPhilox state) {
    AtomicReference<Candidates> ready = new AtomicReference<>();
    return new FileKernel(
        node,
        context -> {
          FileRoot files = context.device().files();
          return () -> {
            if (ready.get() == null) {
              CandidateRange range = read(node.attributes(), files, files.resolve(file));
              ready.compareAndSet(null, new Candidates(node, range, state));
            }
            return call -> ready.get().compute(call);
          };
        });
  }

  private static CandidateRange of(Attributes attributes, List<AttrValue> unigrams) {
    FixedUnigrams found = new FixedUnigrams(attributes);
    unigrams.forEach(weight -> found.addDistorted(((AttrValue.Real) weight).value()));
    return found.range();
  }

  private static CandidateRange read(Attributes attributes, FileRoot files, Path path) {
    FixedUnigrams found = new FixedUnigrams(attributes);
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(files.stream(path), StandardCharsets.ISO_8859_1))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        found.addDistorted(weight(line));
      }
    } catch (IOException e) {
      throw FileFailure.of("read the vocabulary", path, e);
    }
    return found.range();
  }

  private static float weight(String line) {
    try {
      return Float.parseFloat(line.substring(line.lastIndexOf(',') + 1).strip());
    } catch (NumberFormatException e) {
      throw TributaryException.invalidArgument("Wrong vocabulary format at line: %s", line);
    }
  }

  private void addDistorted(float weight) {
    add((float) Math.pow(weight, distortion));
  }

  private void add(float weight) {
    if (number++ % shards == shard) {
      weights.add(weight);
    }
  }

  private CandidateRange range() {
    if (weights.size() != range) {
      throw TributaryException.invalidArgument(
          "range is %d must be equal to weights size %d", range, weights.size());
    }
    float[] all = new float[weights.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = weights.get(i);
    }
    return CandidateRange.unigrams(all);
  }
}
