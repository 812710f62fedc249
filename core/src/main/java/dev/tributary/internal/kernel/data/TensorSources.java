package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Optional;

/** Passes over tensors and over ranges of numbers. */
final class TensorSources {
  private TensorSources() {}

  /** One element. */
  static ElementIterator whole(List<Tensor> components) {
    return new ElementIterator() {
      private boolean given;

      @Override
      public void save(StateWriter writer) {
        writer.truth(given);
      }

      @Override
      public void restore(StateReader reader) {
        given = reader.truth();
      }

      @Override
      public void next(ElementReceiver receiver) {
        if (given) {
          receiver.end();
          return;
        }
        given = true;
        receiver.element(Elements.retain(components));
      }
    };
  }

  /** An element for each of the tensors. */
  static ElementIterator each(List<Tensor> elements) {
    return new ElementIterator() {
      private int index;

      @Override
      public void save(StateWriter writer) {
        writer.number(index);
      }

      @Override
      public void restore(StateReader reader) {
        index = reader.index();
      }

      @Override
      public void next(ElementReceiver receiver) {
        if (index >= elements.size()) {
          receiver.end();
          return;
        }
        receiver.element(new Tensor[] {elements.get(index++).retain()});
      }
    };
  }

  /** These elements, of which each pass gets references of its own. */
  static ElementIterator elements(List<Tensor[]> elements) {
    return new ElementIterator() {
      private int index;

      @Override
      public void save(StateWriter writer) {
        writer.number(index);
      }

      @Override
      public void restore(StateReader reader) {
        index = reader.index();
      }

      @Override
      public void next(ElementReceiver receiver) {
        if (index >= elements.size()) {
          receiver.end();
          return;
        }
        receiver.element(Elements.retain(List.of(elements.get(index++))));
      }
    };
  }

  /** Random numbers of 32 bits without end. */
  static ElementIterator random(RandomWords words, Optional<RandomWords> generator) {
    return new ElementIterator() {
      @Override
      public void save(StateWriter writer) {
        generator.ifPresent(all -> all.save(writer));
        words.save(writer);
      }

      @Override
      public void restore(StateReader reader) {
        generator.ifPresent(all -> all.restore(reader));
        words.restore(reader);
      }

      @Override
      public void next(ElementReceiver receiver) {
        receiver.element(new Tensor[] {Tensor.scalar(words.next())});
      }
    };
  }

  /** An element for each row of the tensors, which have as many rows each. */
  static ElementIterator rows(Allocator allocator, List<Tensor> components) {
    long count = components.get(0).shape().size(0);
    return new ElementIterator() {
      private long index;

      @Override
      public void save(StateWriter writer) {
        writer.number(index);
      }

      @Override
      public void restore(StateReader reader) {
        index = reader.number();
      }

      @Override
      public void next(ElementReceiver receiver) {
        if (index < 0 || index >= count) {
          receiver.end();
          return;
        }
        Tensor[] rows;
        try {
          rows = Elements.rows(allocator, components, index++);
        } catch (RuntimeException e) {
          receiver.failure(e);
          return;
        }
        receiver.element(rows);
      }
    };
  }

  /** Numbers from a start on, up to but without a stop. */
  static ElementIterator range(
      Allocator allocator, DataType type, long start, long stop, long step) {
    return new ElementIterator() {
      private long at = start;
      private boolean isOver;

      @Override
      public void save(StateWriter writer) {
        writer.number(at);
        writer.truth(isOver);
      }

      @Override
      public void restore(StateReader reader) {
        at = reader.number();
        isOver = reader.truth();
      }

      @Override
      public void next(ElementReceiver receiver) {
        if (isOver || (step > 0 ? at >= stop : at <= stop)) {
          receiver.end();
          return;
        }
        Tensor element;
        try {
          element = number(allocator, type, at);
        } catch (RuntimeException e) {
          receiver.failure(e);
          return;
        }
        long following = at + step;
        isOver = step > 0 ? following < at : following > at; // The numbers of the type end here.
        at = following;
        receiver.element(new Tensor[] {element});
      }
    };
  }

  static void requireNumberType(DataType type) {
    switch (type) {
      case INT64, INT32, FLOAT, DOUBLE -> {}
      default ->
          throw TributaryException.unimplemented(
              "a range of %s: only int64, int32, float and double are supported", type.lowerName());
    }
  }

  private static Tensor number(Allocator allocator, DataType type, long value) {
    Tensor number = SharedTensors.allocate(allocator, type, Shape.scalar());
    long at = number.storage().address();
    switch (type) {
      case INT64 -> Memory.putLong(at, value);
      case INT32 -> Memory.putInt(at, (int) value);
      case FLOAT -> Memory.putFloat(at, value);
      default -> Memory.putDouble(at, value);
    }
    return number;
  }
}
