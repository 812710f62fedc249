package dev.tributary.internal.kernel.sparse;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.text.FarmHash;
import dev.tributary.internal.kernel.text.StringHashes;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * All combinations of the features that columns have in a row, the last column fastest, as joined
 * strings or as hashes.
 */
public final class SparseCross {
  static final byte[] OLD_SEPARATOR = "_X_".getBytes(StandardCharsets.US_ASCII);

  /** Sets value {@code i} of the output to a combination: a feature of each column. */
  interface Rule {
    void put(Tensor output, int i, List<CrossColumn> columns, long row, int[] features);
  }

  private SparseCross() {}

  public static Kernel old(KernelNode node) {
    int sparse = node.attributes().int32("N");
    long buckets = node.attributes().integer("num_buckets");
    long key = node.attributes().integer("hash_key");
    boolean hashed = node.attributes().type("out_type") == DataType.INT64;
    if (hashed != node.attributes().bool("hashed_output")) {
      throw TributaryException.invalidArgument(
          "hashed_output is %s, but out_type is %s",
          !hashed, node.attributes().type("out_type").lowerName());
    }
    boolean ofText = node.attributes().type("internal_type") == DataType.STRING;
    Rule rule =
        hashed
            ? (out, i, c, row, f) -> putHash(out, i, c, row, f, buckets, key)
            : joining(OLD_SEPARATOR);
    return context -> {
      if (ofText) {
        requireText(context, sparse);
      }
      run(context, sparse, context.inputCount(), rule);
    };
  }

  public static Kernel strings(KernelNode node) {
    int sparse = node.attributes().int32("N");
    return context -> {
      int last = context.inputCount() - 1;
      IndexTensors.requireScalar(context.input(last), "sep");
      run(context, sparse, last, joining((byte[]) context.input(last).objects()[0]));
    };
  }

  public static Kernel hashed(KernelNode node) {
    int sparse = node.attributes().int32("N");
    return context -> {
      int first = context.inputCount() - 3;
      IndexTensors.requireScalar(context.input(first), "num_buckets");
      IndexTensors.requireScalar(context.input(first + 1), "strong_hash");
      long buckets = context.input(first).getLong(0);
      boolean strong = context.input(first + 1).getBoolean(0);
      long[] salt = IndexTensors.vector(context.input(first + 2), "salt", 2);
      run(
          context,
          sparse,
          first,
          (out, i, columns, row, features) -> {
            long hash = 0;
            for (int c = 0; c < features.length; c++) {
              long part = hash(columns.get(c), row, features[c], strong, salt);
              hash = c == 0 ? part : FarmHash.concatenate(hash, part);
            }
            putBucket(out, i, hash, buckets);
          });
    };
  }

  private static long hash(CrossColumn column, long row, int n, boolean strong, long[] salt) {
    if (strong) {
      return StringHashes.sipHash(salt[0], salt[1], column.hashedBytes(row, n));
    }
    return column.isItsOwnHash()
        ? column.code(row, n)
        : FarmHash.fingerprint64(column.hashedBytes(row, n));
  }

  private static void requireText(KernelContext context, int sparse) {
    for (int i = sparse; i < context.inputCount(); i++) {
      boolean isShape = i >= 2 * sparse && i < 3 * sparse;
      if (!isShape && context.input(i).type() != DataType.STRING) {
        throw TributaryException.invalidArgument(
            "Input values should be of internal type string but received %s",
            context.input(i).type().lowerName());
      }
    }
  }

  static Rule joining(byte[] separator) {
    return (out, i, columns, row, features) -> {
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      for (int c = 0; c < features.length; c++) {
        if (c > 0) {
          text.writeBytes(separator);
        }
        text.writeBytes(columns.get(c).text(row, features[c]));
      }
      out.objects()[i] = text.toByteArray();
    };
  }

  static void putHash(
      Tensor out,
      int i,
      List<CrossColumn> columns,
      long row,
      int[] features,
      long buckets,
      long key) {
    long hash = key;
    for (int c = 0; c < features.length; c++) {
      hash = FarmHash.concatenate(hash, columns.get(c).code(row, features[c]));
    }
    putBucket(out, i, hash, buckets);
  }

  private static void putBucket(Tensor out, int i, long hash, long buckets) {
    long bucket = Long.remainderUnsigned(hash, buckets > 0 ? buckets : Long.MAX_VALUE);
    Memory.putLong(out.storage().address() + 8L * i, bucket);
  }

  /**
   * @param end the input behind the dense columns
   */
  private static void run(KernelContext context, int sparse, int end, Rule rule) {
    List<CrossColumn> columns = new ArrayList<>();
    long batch = -1;
    for (int i = 0; i < sparse; i++) {
      SparseInput input =
          SparseInput.of(
              context.input(i), context.input(sparse + i), context.input(2 * sparse + i));
      columns.add(CrossColumn.sparse(input));
      batch = requireSame(batch, input.shape().size(0));
    }
    for (int i = 3 * sparse; i < end; i++) {
      Tensor dense = context.input(i);
      if (dense.rank() != 2) {
        throw TributaryException.invalidArgument(
            "Dense inputs should be a matrix but received shape %s", dense.shape());
      }
      columns.add(CrossColumn.dense(dense));
      batch = requireSame(batch, dense.shape().size(0));
    }
    long[] rows =
        sparse > 0 ? columns.get(0).rows() : LongStream.range(0, Math.max(0, batch)).toArray();
    long count = 0;
    long widest = 0;
    for (long row : rows) {
      long ofRow = combinations(columns, row);
      widest = Math.max(widest, ofRow);
      count = ArrayLength.of(count + ofRow);
    }
    long indices = context.allocateOutput(0, Shape.of(count, 2)).storage().address();
    Tensor values = context.allocateOutput(1, Shape.of(count));
    IndexTensors.setVector(context, 2, Math.max(0, batch), widest);
    int next = 0;
    for (long row : rows) {
      int[] features = new int[columns.size()];
      long ofRow = combinations(columns, row);
      for (long i = 0; i < ofRow; i++, next++) {
        Memory.putLong(indices + 16L * next, row);
        Memory.putLong(indices + 16L * next + 8, i);
        rule.put(values, next, columns, row, features);
        advance(columns, row, features);
      }
    }
  }

  private static long requireSame(long batch, long size) {
    if (batch >= 0 && batch != size) {
      throw TributaryException.invalidArgument("Expected batch size %d got %d", batch, size);
    }
    return size;
  }

  static long combinations(List<CrossColumn> columns, long row) {
    long count = 1;
    for (CrossColumn column : columns) {
      count = ArrayLength.of(count * column.count(row));
    }
    return count;
  }

  static void advance(List<CrossColumn> columns, long row, int[] features) {
    for (int c = features.length - 1; c >= 0; c--) {
      if (++features[c] < columns.get(c).count(row)) {
        return;
      }
      features[c] = 0;
    }
  }
}
