package dev.tributary.internal.kernel.data;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * The turns of a parallel interleave: the datasets that have a place, those that wait for one, and
 * whose turn it is. Guarded by the monitor of the interleave.
 */
final class InterleaveCycle {
  private final long block;

  /** Those that have turns; null for a place that waits for another one. */
  private final InterleaveReader[] places;

  /** Those that wait for a place, in the order of the input. */
  private final Deque<InterleaveReader> ahead = new ArrayDeque<>();

  /** Those that gave their last element and were not closed yet. */
  private final List<InterleaveReader> over = new ArrayList<>();

  private int current;
  private long given;

  InterleaveCycle(int size, long block) {
    this.places = new InterleaveReader[size];
    this.block = block;
  }

  void add(InterleaveReader reader) {
    ahead.add(reader);
  }

  /** Returns whether one more can be added, with so many ahead of their turns. */
  boolean hasPlace(int mostAhead) {
    long free = Arrays.stream(places).filter(Objects::isNull).count();
    return ahead.size() < free + mostAhead;
  }

  /** All that have or wait for a place, that whose turn it is first. */
  List<InterleaveReader> readers() {
    List<InterleaveReader> all = new ArrayList<>();
    for (int i = 0; i < places.length; i++) {
      InterleaveReader reader = places[(current + i) % places.length];
      if (reader != null) {
        all.add(reader);
      }
    }
    all.addAll(ahead);
    return all;
  }

  /** Those that are over since this was called before, for the caller to close. */
  List<InterleaveReader> takeEnded() {
    List<InterleaveReader> ended = List.copyOf(over);
    over.clear();
    return ended;
  }

  boolean isEmpty() {
    return ahead.isEmpty() && Arrays.stream(places).allMatch(Objects::isNull);
  }

  /** Returns whether the place whose turn it is has no dataset. */
  boolean awaitsInput() {
    return ahead.isEmpty() && places[current] == null;
  }

  /**
   * The next answer in the order of the turns, or null if it is not there yet.
   *
   * @param inputEnded whether places without a dataset are passed over
   */
  Answer inTurn(boolean inputEnded) {
    while (!isEmpty()) {
      if (places[current] == null && !fill(current)) {
        if (!inputEnded) {
          return null;
        }
        advance();
        continue;
      }
      Answer answer = places[current].poll();
      if (answer != null) {
        count(answer);
        return answer;
      }
      if (!places[current].isOver()) {
        return null;
      }
      leave(current);
      advance();
    }
    return null;
  }

  /** An answer that is there, that of the dataset whose turn it is before others. */
  Answer fromAny() {
    for (int i = 0; i < places.length; i++) {
      int place = (current + i) % places.length;
      while (places[place] != null || fill(place)) {
        Answer answer = places[place].poll();
        if (answer != null) {
          given = place == current ? given : 0;
          current = place;
          count(answer);
          return answer;
        }
        if (!places[place].isOver()) {
          break;
        }
        leave(place);
      }
    }
    return null;
  }

  private void count(Answer answer) {
    if (answer.failure() == null) {
      given++;
      if (given == block) {
        advance();
      }
    } else if (places[current].isOver()) {
      // The dataset could not be made; the next one takes its place at once.
      leave(current);
    }
  }

  private void advance() {
    current = (current + 1) % places.length;
    given = 0;
  }

  private boolean fill(int place) {
    places[place] = ahead.poll();
    return places[place] != null;
  }

  private void leave(int place) {
    over.add(places[place]);
    places[place] = null;
  }

  void save(StateWriter writer) {
    writer.number(current);
    writer.number(given);
    writer.number(places.length);
    for (InterleaveReader reader : places) {
      writer.truth(reader != null);
      if (reader != null) {
        reader.save(writer);
      }
    }
    writer.number(ahead.size());
    ahead.forEach(reader -> reader.save(writer));
  }

  /**
   * @param make makes the readers, which take over their slots
   */
  void restore(StateReader state, Function<InterleaveSlot, InterleaveReader> make) {
    int at = state.index();
    given = state.number();
    if (state.number() != places.length || at >= places.length) {
      throw StateReader.mismatch();
    }
    current = at;
    for (int i = 0; i < places.length; i++) {
      if (state.truth()) {
        places[i] = make.apply(InterleaveSlot.restored(state));
        places[i].restore(state);
      }
    }
    int count = state.count();
    for (int i = 0; i < count; i++) {
      InterleaveReader waits = make.apply(InterleaveSlot.restored(state));
      ahead.add(waits);
      waits.restore(state);
    }
  }
}
