package dev.tributary.bench.network;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Padding;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.model.Activation;
import dev.tributary.train.model.BatchNormalization;
import dev.tributary.train.model.Conv2D;
import dev.tributary.train.model.Dense;
import dev.tributary.train.model.DepthwiseConv2D;
import dev.tributary.train.model.GlobalPooling;
import dev.tributary.train.model.KernelLayer;
import dev.tributary.train.variable.Initializer;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;

/**
 * The network of MobileNet's first version: a convolution, then 13 depthwise separable blocks.
 *
 * @param width how many channels the first convolution makes; 32 in the paper
 */
public record MobileNetwork(int batch, int size, int width, int classes) {
  /** The blocks that halve height and width, from 1 on. */
  private static final String HALVING = " 2 4 6 12 ";

  private static final int BLOCKS = 13;

  /** Keeps the size of values, of which each result has nine; others count all channels. */
  private static final Initializer DEPTHWISE = Initializers.randomUniform(-0.8, 0.8);

  public Network inference() {
    Ops tf = Ops.create();
    tf.graph().setSeed(1);
    VariableScope scope = VariableScope.of(tf).withInitializer(Initializers.heUniform());
    Output images = tf.placeholder(DataType.FLOAT, Shape.of(batch, size, size, 3));
    Output x =
        activated(scope.open("first"), Conv2D.of(width, 3).withStrides(2, Padding.SAME), images);
    int channels = width;
    for (int block = 1; block <= BLOCKS; block++) {
      boolean halves = HALVING.contains(" " + block + " ");
      VariableScope inner = scope.open("block_" + block);
      DepthwiseConv2D depthwise =
          DepthwiseConv2D.of(3)
              .withStrides(halves ? 2 : 1, Padding.SAME)
              .withKernelInitializer(DEPTHWISE);
      x = activated(inner.open("depthwise"), depthwise, x);
      channels = block == 1 || halves ? 2 * channels : channels;
      x = activated(inner.open("pointwise"), Conv2D.of(channels, 1), x);
    }
    Output features = GlobalPooling.average().apply(scope, x);
    return Network.inference(
        tf, images, tf.softmax(Dense.of(classes).apply(scope.open("logits"), features)));
  }

  private static Output activated(VariableScope scope, KernelLayer<?> layer, Output x) {
    Output y = layer.withoutBias().apply(scope, x);
    return Activation.RELU6.apply(
        scope.tf(), BatchNormalization.of(false).apply(scope.open("norm"), y));
  }
}
