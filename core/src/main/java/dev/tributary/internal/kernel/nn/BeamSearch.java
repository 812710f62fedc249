package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A search for the most probable labels of a sequence, step by step, which keeps a number of the
 * best beginnings. Probabilities are logarithms. Confined to one thread.
 */
final class BeamSearch {
  private static final double NEVER = Double.NEGATIVE_INFINITY;

  private final int width;

  /** The beginnings that are kept, the best first. */
  private final List<Beam> beams = new ArrayList<>();

  /** Labels that were found. */
  record Path(Beam end) {
    /** The logarithm of the probability. */
    double log() {
      return end.total;
    }

    List<Integer> labels(boolean mergeRepeated) {
      List<Integer> labels = new ArrayList<>();
      int previous = -1;
      for (Beam beam = end; beam.label >= 0; beam = beam.parent) {
        if (!mergeRepeated || beam.label != previous) {
          labels.add(beam.label);
        }
        previous = beam.label;
      }
      Collections.reverse(labels);
      return labels;
    }
  }

  /** A beginning: that of its parent with one label more; the empty one is its own parent. */
  private static final class Beam {
    final Beam parent;
    final int label;
    final Map<Integer, Beam> children = new HashMap<>();

    /** The probability, and the parts of it that end in a blank and in the label. */
    double total = NEVER;

    double blank = NEVER;
    double labelled = NEVER;

    /** The same one step before. */
    double oldTotal = NEVER;

    double oldBlank = NEVER;

    Beam(Beam parent, int label) {
      this.parent = parent == null ? this : parent;
      this.label = label;
    }

    void drop() {
      total = NEVER;
      blank = NEVER;
      labelled = NEVER;
    }
  }

  BeamSearch(int width) {
    this.width = width;
    Beam empty = new Beam(null, -1);
    empty.total = 0;
    empty.blank = 0;
    beams.add(empty);
  }

  /** Goes on by a step with these probabilities of all classes, of which the last is the blank. */
  void step(double[] log) {
    List<Beam> branches = List.copyOf(beams);
    beams.clear();
    for (Beam beam : branches) {
      beam.oldTotal = beam.total;
      beam.oldBlank = beam.blank;
    }
    for (Beam beam : branches) {
      stay(beam, log);
      add(beam);
    }
    for (Beam beam : branches) {
      if (isCandidate(beam.oldTotal)) {
        for (int label = 0; label < log.length - 1; label++) {
          grow(beam, label, log[label]);
        }
      }
    }
  }

  private void stay(Beam beam, double[] log) {
    if (beam.label >= 0) {
      Beam parent = beam.parent;
      if (parent.total != NEVER) {
        double before = beam.label == parent.label ? parent.oldBlank : parent.oldTotal;
        beam.labelled = CtcInputs.logSum(beam.labelled, before);
      }
      beam.labelled += log[beam.label];
    }
    beam.blank = beam.oldTotal + log[log.length - 1];
    beam.total = CtcInputs.logSum(beam.blank, beam.labelled);
  }

  private void grow(Beam beam, int label, double log) {
    Beam child = beam.children.computeIfAbsent(label, l -> new Beam(beam, l));
    if (child.total != NEVER) {
      return;
    }
    child.blank = NEVER;
    child.labelled = log + (label == beam.label ? beam.oldBlank : beam.oldTotal);
    child.total = child.labelled;
    if (isCandidate(child.total)) {
      if (beams.size() == width) {
        beams.remove(width - 1).drop();
      }
      add(child);
    } else {
      child.drop();
      child.oldTotal = NEVER;
      child.oldBlank = NEVER;
    }
  }

  private boolean isCandidate(double total) {
    return total > NEVER && (beams.size() < width || total > beams.get(width - 1).total);
  }

  private void add(Beam beam) {
    int at = beams.size();
    while (at > 0 && beams.get(at - 1).total < beam.total) {
      at--;
    }
    beams.add(at, beam);
  }

  /** The best paths so far, the best first. */
  List<Path> best(int count) {
    if (beams.size() < count) {
      throw TributaryException.invalidArgument(
          "Less leaves in the beam search than requested: %d, wanted %d", beams.size(), count);
    }
    return beams.stream().limit(count).map(Path::new).toList();
  }
}
