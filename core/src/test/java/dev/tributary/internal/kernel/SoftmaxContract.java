package dev.tributary.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Softmax and cross entropies, against their definitions. */
public interface SoftmaxContract extends BackendContract {
  int[][] ROWS_BY_CLASSES = {{1, 1}, {3, 5}, {7, 1}, {2, 1001}, {501, 10}, {0, 4}, {4, 0}};

  @Test
  default void softmax_oddSizes_equalsDefinition() {
    for (DataType type : REALS) {
      for (int[] size : ROWS_BY_CLASSES) {
        double[] logits = logits(size[0] * size[1]);
        SoftmaxGeometry geometry = new SoftmaxGeometry(type, size[0], size[1]);
        double[] wanted = softmaxOf(logits, size[0], size[1]);
        try (Tensor x = tensor(type, logits);
            Tensor y = unwritten(type, logits.length)) {
          backend().softmax(geometry, x.storage().address(), y.storage().address());
          assertClose("softmax", y, wanted);
          backend().logSoftmax(geometry, x.storage().address(), y.storage().address());
          assertClose("logSoftmax", y, Arrays.stream(wanted).map(Math::log).toArray());
          backend().softmax(geometry, x.storage().address(), x.storage().address());
          assertClose("softmax in place", x, wanted);
        }
      }
    }
  }

  @Test
  default void softmax_hugeLogits_doNotOverflow() {
    try (Tensor x = tensor(DataType.FLOAT, 1e30, 1e30, -1e30);
        Tensor y = unwritten(DataType.FLOAT, 3)) {
      backend()
          .softmax(
              new SoftmaxGeometry(DataType.FLOAT, 1, 3),
              x.storage().address(),
              y.storage().address());
      assertThat(y.toFloats()).containsExactly(0.5f, 0.5f, 0f);
    }
  }

  @Test
  default void softmaxCrossEntropy_broadcastLabels_equalsDefinition() {
    for (DataType type : REALS) {
      for (int[] size : ROWS_BY_CLASSES) {
        int rows = size[0];
        int classes = size[1];
        for (int flags = 0; flags < 4; flags++) {
          int labelRows = (flags & 1) != 0 ? 1 : rows;
          int labelClasses = (flags & 2) != 0 ? 1 : classes;
          double[] logits = logits(rows * classes);
          double[] labels = random(3, labelRows * labelClasses);
          double[] p = softmaxOf(logits, rows, classes);
          double[] loss = new double[rows];
          double[] backprop = new double[p.length];
          for (int i = 0; i < p.length; i++) {
            int row = i / classes % labelRows;
            double label = labels[row * labelClasses + i % classes % labelClasses];
            loss[i / classes] -= label * Math.log(p[i]);
            backprop[i] = p[i] - label;
          }
          try (Tensor x = tensor(type, logits);
              Tensor t = tensor(type, labels);
              Tensor l = unwritten(type, rows);
              Tensor b = unwritten(type, p.length)) {
            RowsView labelView = RowsView.broadcast(t.storage().address(), labelRows, labelClasses);
            backend()
                .softmaxCrossEntropy(
                    new SoftmaxGeometry(type, rows, classes),
                    RowsView.dense(x.storage().address(), classes),
                    labelView,
                    l.storage().address(),
                    b.storage().address());
            assertClose("loss", l, loss);
            assertClose("backprop", b, backprop);
          }
        }
      }
    }
  }

  @Test
  default void softmaxCrossEntropy_zeroLabelOfInfiniteLogit_isNaNAsInTensorFlow() {
    try (Tensor x = tensor(DataType.FLOAT, 0, Double.NEGATIVE_INFINITY);
        Tensor t = tensor(DataType.FLOAT, 1, 0);
        Tensor l = unwritten(DataType.FLOAT, 1);
        Tensor b = unwritten(DataType.FLOAT, 2)) {
      RowsView logits = RowsView.dense(x.storage().address(), 2);
      RowsView labels = RowsView.dense(t.storage().address(), 2);
      backend()
          .softmaxCrossEntropy(
              new SoftmaxGeometry(DataType.FLOAT, 1, 2),
              logits,
              labels,
              l.storage().address(),
              b.storage().address());
      assertThat(l.toFloats()).containsExactly(Float.NaN);
      assertThat(b.toFloats()).containsExactly(0f, 0f);
    }
  }

  @Test
  default void sparseSoftmaxCrossEntropy_bothLabelTypes_equalDense() {
    int rows = 9;
    int classes = 6;
    double[] logits = logits(rows * classes);
    double[] p = softmaxOf(logits, rows, classes);
    double[] loss = new double[rows];
    long[] labels = new long[rows];
    int[] narrow = new int[rows];
    double[] backprop = p.clone();
    for (int i = 0; i < rows; i++) {
      narrow[i] = i * 5 % classes;
      labels[i] = narrow[i];
      loss[i] = -Math.log(p[i * classes + narrow[i]]);
      backprop[i * classes + narrow[i]] -= 1;
    }
    for (DataType type : REALS) {
      for (DataType labelType : new DataType[] {DataType.INT32, DataType.INT64}) {
        try (Tensor x = tensor(type, logits);
            Tensor t = labelType == DataType.INT32 ? Tensor.of(narrow) : Tensor.of(labels);
            Tensor l = unwritten(type, rows);
            Tensor b = unwritten(type, p.length)) {
          backend()
              .sparseSoftmaxCrossEntropy(
                  new SoftmaxGeometry(type, rows, classes),
                  labelType,
                  x.storage().address(),
                  t.storage().address(),
                  l.storage().address(),
                  b.storage().address());
          assertClose("loss", l, loss);
          assertClose("backprop", b, backprop);
        }
      }
    }
  }

  @Test
  default void sparseSoftmaxCrossEntropy_labelOutOfRange_isInvalidArgument() {
    for (int label : new int[] {-1, 3}) {
      try (Tensor x = tensor(DataType.FLOAT, 1, 2, 3);
          Tensor t = Tensor.of(new int[] {label});
          Tensor l = unwritten(DataType.FLOAT, 1);
          Tensor b = unwritten(DataType.FLOAT, 3)) {
        assertThatThrownBy(
                () ->
                    backend()
                        .sparseSoftmaxCrossEntropy(
                            new SoftmaxGeometry(DataType.FLOAT, 1, 3),
                            DataType.INT32,
                            x.storage().address(),
                            t.storage().address(),
                            l.storage().address(),
                            b.storage().address()))
            .hasMessageContaining("label " + label)
            .extracting(e -> ((TributaryException) e).code())
            .isEqualTo(ErrorCode.INVALID_ARGUMENT);
      }
    }
  }

  private double[] logits(int count) {
    return Arrays.stream(random(11, count)).map(x -> 4 * x).toArray();
  }

  private static double[] softmaxOf(double[] logits, int rows, int classes) {
    double[] p = new double[logits.length];
    for (int i = 0; i < rows; i++) {
      double sum = 0;
      for (int j = 0; j < classes; j++) {
        sum += Math.exp(logits[i * classes + j]);
      }
      for (int j = 0; j < classes; j++) {
        p[i * classes + j] = Math.exp(logits[i * classes + j]) / sum;
      }
    }
    return p;
  }
}
