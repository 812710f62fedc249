package dev.tributary.internal.event;

import java.util.Arrays;
import org.tensorflow.proto.HistogramProto;

/**
 * Counts numbers in buckets whose limits grow by a tenth from 1e-12 to 1e20 on either side of 0, as
 * TensorFlow does. Confined to one thread.
 */
public final class Histogram {
  private static final double SMALLEST = 1e-12;
  private static final double LARGEST = 1e20;
  private static final double GROWTH = 1.1;
  private static final double[] LIMITS = limits();

  private final double[] counts = new double[LIMITS.length];
  private double min = Double.MAX_VALUE;
  private double max = -Double.MAX_VALUE;
  private double count;
  private double sum;
  private double squares;

  public void add(double value) {
    int found = Arrays.binarySearch(LIMITS, value);
    // The first limit that is greater; the last bucket takes what is as large as its limit.
    int bucket = found >= 0 ? found + 1 : -found - 1;
    counts[Math.min(bucket, counts.length - 1)]++;
    min = Math.min(min, value);
    max = Math.max(max, value);
    count++;
    sum += value;
    squares += value * value;
  }

  /** The message, in which a run of empty buckets is one. */
  HistogramProto toProto() {
    HistogramProto.Builder proto =
        HistogramProto.newBuilder()
            .setMin(min)
            .setMax(max)
            .setNum(count)
            .setSum(sum)
            .setSumSquares(squares);
    for (int i = 0; i < counts.length; i++) {
      boolean nextIsEmptyToo = i + 1 < counts.length && counts[i] == 0 && counts[i + 1] == 0;
      if (!nextIsEmptyToo) {
        proto.addBucketLimit(LIMITS[i]).addBucket(counts[i]);
      }
    }
    return proto.build();
  }

  private static double[] limits() {
    double[] positive = new double[1000];
    int count = 0;
    for (double limit = SMALLEST; limit < LARGEST; limit *= GROWTH) {
      positive[count++] = limit;
    }
    positive[count++] = Double.MAX_VALUE;
    double[] all = new double[2 * count + 1];
    for (int i = 0; i < count; i++) {
      all[count - 1 - i] = -positive[i];
      all[count + 1 + i] = positive[i];
    }
    return all;
  }
}
