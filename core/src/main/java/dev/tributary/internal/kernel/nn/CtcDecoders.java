package dev.tributary.internal.kernel.nn;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * The kernels of CTCGreedyDecoder and CTCBeamSearchDecoder, which find labels for sequences of
 * scores. Decoded labels are sparse tensors [batch, longest].
 */
public final class CtcDecoders {
  private CtcDecoders() {}

  /** The best class of each step, without blanks. */
  public static Kernel greedy(KernelNode node) {
    ElementTypes.requireReal(node.type());
    boolean merge = node.attributes().bool("merge_repeated");
    int blank = node.attributes().int32("blank_index");
    return context -> {
      Tensor inputs = context.input(0);
      Shape shape = CtcInputs.requireScores(inputs);
      int[] lengths = CtcInputs.lengths(context.input(1), shape, ErrorCode.FAILED_PRECONDITION);
      int classes = ArrayLength.of(shape.size(2));
      int own = blank < 0 ? classes + blank : blank;
      if (own < 0 || own >= classes) {
        throw TributaryException.invalidArgument(
            "blank_index expected to be between %d and %d but was %d",
            -classes, classes - 1, blank);
      }
      Tensor scores = context.allocateOutput(3, Shape.of(lengths.length, 1));
      Fill.zeros(scores);
      List<List<Integer>> sequences = new ArrayList<>();
      for (int b = 0; b < lengths.length; b++) {
        List<Integer> sequence = new ArrayList<>();
        double sum = 0;
        int previous = -1;
        for (int t = 0; t < lengths[b]; t++) {
          int best = best(inputs, t, b, classes);
          sum -= CtcInputs.score(inputs, t, b, best);
          if (best != own && !(merge && best == previous)) {
            sequence.add(best);
          }
          previous = best;
        }
        Reals.put(scores, b, sum);
        sequences.add(sequence);
      }
      store(context, sequences, 0, 1);
    };
  }

  private static int best(Tensor inputs, int t, int b, int classes) {
    int best = 0;
    for (int c = 1; c < classes; c++) {
      if (CtcInputs.score(inputs, t, b, c) > CtcInputs.score(inputs, t, b, best)) {
        best = c;
      }
    }
    return best;
  }

  /** The most probable labels over all ways to put blanks between them; the last class is blank. */
  public static Kernel beamSearch(KernelNode node) {
    ElementTypes.requireReal(node.type());
    int width = node.attributes().int32("beam_width");
    int paths = node.attributes().int32("top_paths");
    boolean merge = node.attributes().bool("merge_repeated");
    if (paths > width) {
      throw TributaryException.invalidArgument(
          "requested more paths than the beam width: %d and %d", paths, width);
    }
    return context -> {
      Tensor inputs = context.input(0);
      Shape shape = CtcInputs.requireScores(inputs);
      int[] lengths = CtcInputs.lengths(context.input(1), shape, ErrorCode.FAILED_PRECONDITION);
      Tensor scores = context.allocateOutput(3 * paths, Shape.of(lengths.length, paths));
      List<List<List<Integer>>> sequences = new ArrayList<>();
      for (int p = 0; p < paths; p++) {
        sequences.add(new ArrayList<>());
      }
      for (int b = 0; b < lengths.length; b++) {
        BeamSearch search = new BeamSearch(width);
        for (double[] log : CtcInputs.logSoftmax(inputs, b, lengths[b])) {
          search.step(log);
        }
        List<BeamSearch.Path> found = search.best(paths);
        for (int p = 0; p < paths; p++) {
          Reals.put(scores, (long) b * paths + p, found.get(p).log());
          sequences.get(p).add(found.get(p).labels(merge));
        }
      }
      for (int p = 0; p < paths; p++) {
        store(context, sequences.get(p), p, paths);
      }
    };
  }

  /** Sets indices, values and shape of a sparse tensor with a row for each sequence. */
  private static void store(
      KernelContext context, List<List<Integer>> sequences, int path, int paths) {
    long count = sequences.stream().mapToLong(List::size).sum();
    Tensor indices = context.allocateOutput(path, Shape.of(count, 2));
    Tensor values = context.allocateOutput(paths + path, Shape.of(count));
    long at = 0;
    long longest = 0;
    for (int b = 0; b < sequences.size(); b++) {
      List<Integer> sequence = sequences.get(b);
      longest = Math.max(longest, sequence.size());
      for (int i = 0; i < sequence.size(); i++) {
        Memory.putLong(indices.storage().address() + 16 * at, b);
        Memory.putLong(indices.storage().address() + 16 * at + 8, i);
        Memory.putLong(values.storage().address() + 8 * at, sequence.get(i));
        at++;
      }
    }
    IndexTensors.setVector(context, 2 * paths + path, sequences.size(), longest);
  }
}
