package dev.tributary.internal.kernel.lookup;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.io.FileKernel;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The kernel of GenerateVocabRemapping: for some lines of a new vocabulary file, the number of the
 * same line in an old one, or -1.
 */
public final class VocabularyRemapping {
  private static final int LINE_NUMBER = -1;
  private static final int WHOLE_LINE = -2;
  private static final byte UNUSED_DELIMITER = '\t';
  private static final long ALL = -1;

  private VocabularyRemapping() {}

  public static Kernel kernel(KernelNode node) {
    Attributes attributes = node.attributes();
    long offset = attributes.integer("new_vocab_offset");
    long count = attributes.integer("num_new_vocab");
    long oldSize = attributes.integer("old_vocab_size");
    return new FileKernel(
        node,
        context -> {
          FileRoot files = context.device().files();
          String newName = name(context, 0, "new_vocab_file");
          String oldName = name(context, 1, "old_vocab_file");
          return () -> {
            List<HashTable.Entry> lines = lines(files, newName, ALL);
            if (offset + count > lines.size()) {
              throw TributaryException.invalidArgument(
                  "lookup table size must be larger than last new vocab entry's line: lines %d to"
                      + " %d of %s, which has %d",
                  offset, offset + count, newName, lines.size());
            }
            Map<Object, Integer> old = numbers(oldName, lines(files, oldName, oldSize));
            long[] remapping = new long[(int) count];
            long present = 0;
            for (int i = 0; i < remapping.length; i++) {
              remapping[i] = old.getOrDefault(lines.get((int) offset + i).key(), -1);
              present += remapping[i] < 0 ? 0 : 1;
            }
            long found = present;
            return call -> {
              IndexTensors.setVector(call, 0, remapping);
              IndexTensors.setScalar(call, 1, found);
            };
          };
        });
  }

  private static String name(KernelContext context, int input, String what) {
    Tensor name = context.input(input);
    IndexTensors.requireScalar(name, what);
    return name.getString(0);
  }

  private static List<HashTable.Entry> lines(FileRoot files, String name, long count) {
    return new VocabularyFile(WHOLE_LINE, LINE_NUMBER, count, UNUSED_DELIMITER, 0)
        .read(files, name, DataType.STRING, DataType.INT64);
  }

  private static Map<Object, Integer> numbers(String name, List<HashTable.Entry> lines) {
    Map<Object, Integer> numbers = new HashMap<>();
    for (HashTable.Entry line : lines) {
      int number = ((Long) line.value()).intValue();
      Integer earlier = numbers.putIfAbsent(line.key(), number);
      if (earlier != null) {
        throw TributaryException.failedPrecondition(
            "HashTable has different value for same key: lines %d and %d of %s are both %s",
            earlier, number, name, Elements.text(line.key()));
      }
    }
    return numbers;
  }
}
