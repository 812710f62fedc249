package dev.tributary.internal.kernel.math;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/**
 * The mel-frequency cepstral coefficients of a spectrogram: the cosine transform of the logarithms
 * of what a bank of filters lets through. Input: channels, slices, squared magnitudes of
 * frequencies. Output: channels, slices, coefficients.
 */
public final class CepstrumKernel implements Kernel {
  /** The least energy whose logarithm is taken. */
  private static final double FLOOR = 1e-12;

  private static final int MOST_FILTERS = 1 << 16;

  private final double highest;
  private final double lowest;
  private final int filters;
  private final double[][] cosines;

  public CepstrumKernel(KernelNode node) {
    highest = node.attributes().real("upper_frequency_limit");
    lowest = node.attributes().real("lower_frequency_limit");
    filters = node.attributes().int32("filterbank_channel_count");
    int coefficients = node.attributes().int32("dct_coefficient_count");
    if (filters < 1 || filters > MOST_FILTERS || coefficients < 1 || coefficients > filters) {
      throw TributaryException.invalidArgument(
          "filterbank_channel_count must be from 1 to %d and dct_coefficient_count from 1 to that,"
              + " got %d and %d",
          MOST_FILTERS, filters, coefficients);
    }
    if (!(lowest >= 0 && highest > lowest)) {
      throw TributaryException.invalidArgument(
          "lower_frequency_limit must be at least 0 and less than upper_frequency_limit, got %s and"
              + " %s",
          lowest, highest);
    }
    cosines = new double[coefficients][filters];
    double norm = Math.sqrt(2.0 / filters);
    for (int i = 0; i < coefficients; i++) {
      for (int j = 0; j < filters; j++) {
        cosines[i][j] = norm * Math.cos(i * Math.PI / filters * (j + 0.5));
      }
    }
  }

  @Override
  public void compute(KernelContext context) {
    Tensor input = context.input(0);
    Tensor rate = context.input(1);
    if (input.rank() != 3 || rate.elementCount() != 1) {
      throw TributaryException.invalidArgument(
          "spectrogram must be 3-dimensional and sample_rate one number, got %s and %s",
          input.shape(), rate.shape());
    }
    int sampleRate = (int) IndexTensors.at(rate, 0);
    int frequencies = ArrayLength.of(input.shape().size(2));
    if (sampleRate < 1 || frequencies < 2) {
      throw TributaryException.invalidArgument(
          "Mfcc needs a sample rate of at least 1 and at least 2 frequencies, got %d and %d",
          sampleRate, frequencies);
    }
    FilterBank bank = new FilterBank(frequencies, sampleRate);
    Tensor output =
        context.allocateOutput(0, input.shape().slice(0, 2).concatenate(Shape.of(cosines.length)));
    long slices = input.elementCount() / frequencies;
    double[] energies = new double[filters];
    for (long slice = 0; slice < slices; slice++) {
      bank.filter(input.storage().address() + slice * frequencies * Float.BYTES, energies);
      long to = output.storage().address() + slice * cosines.length * Float.BYTES;
      for (int i = 0; i < cosines.length; i++) {
        double sum = 0;
        for (int j = 0; j < filters; j++) {
          sum += cosines[i][j] * energies[j];
        }
        Memory.putFloat(to + (long) i * Float.BYTES, (float) sum);
      }
    }
  }

  /** The pitch that a frequency in hertz is heard as. */
  private static double mel(double frequency) {
    return 1127 * Math.log1p(frequency / 700);
  }

  /**
   * Triangular filters, whose centres are evenly spaced in pitch. A frequency is between the
   * centres of two: its weight for the lower one and the rest for the upper one.
   */
  private final class FilterBank {
    private final int first;
    private final int last;

    /** The lower filter of each frequency; -1 below the first centre. */
    private final int[] lower;

    private final double[] weights;

    FilterBank(int frequencies, int sampleRate) {
      double hertz = 0.5 * sampleRate / (frequencies - 1);
      first = (int) (1.5 + lowest / hertz);
      last = (int) (highest / hertz);
      lower = new int[frequencies];
      weights = new double[frequencies];
      double lowestPitch = mel(lowest);
      double spacing = (mel(highest) - lowestPitch) / (filters + 1);
      int above = 0;
      for (int i = first; i <= Math.min(last, frequencies - 1); i++) {
        double pitch = mel(i * hertz);
        while (above < filters && lowestPitch + spacing * (above + 1) < pitch) {
          above++;
        }
        lower[i] = above - 1;
        weights[i] = (lowestPitch + spacing * (above + 1) - pitch) / spacing;
      }
    }

    /** Computes the logarithms; a spectrum that ends below the limit has none, as in stock. */
    void filter(long spectrum, double[] energies) {
      Arrays.fill(energies, 0);
      if (last >= weights.length) {
        return;
      }
      for (int i = first; i <= last; i++) {
        double value = Math.sqrt(Memory.getFloat(spectrum + (long) i * Float.BYTES));
        double weighted = value * weights[i];
        if (lower[i] >= 0) {
          energies[lower[i]] += weighted;
        }
        if (lower[i] + 1 < filters) {
          energies[lower[i] + 1] += value - weighted;
        }
      }
      for (int i = 0; i < filters; i++) {
        energies[i] = Math.log(energies[i] < FLOOR ? FLOOR : energies[i]);
      }
    }
  }
}
