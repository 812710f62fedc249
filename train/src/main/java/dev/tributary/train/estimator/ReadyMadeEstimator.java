package dev.tributary.train.estimator;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Variable;
import dev.tributary.train.model.LossOptions.Reduction;
import dev.tributary.train.optimizer.Optimizer;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.Variables;
import java.util.List;
import java.util.Optional;

/**
 * An estimator whose model function is given by a head and by the model that makes its logits.
 *
 * @param <E> the kind of this estimator
 */
abstract class ReadyMadeEstimator<E extends ReadyMadeEstimator<E>> extends Estimator<E> {
  private final Head head;
  private final Head.Options headOptions;

  ReadyMadeEstimator(EstimatorSettings settings, Head head, Head.Options headOptions) {
    super(settings);
    this.head = head;
    this.headOptions = headOptions;
  }

  /** Returns this estimator with other options. */
  abstract E with(EstimatorSettings settings, Head.Options options);

  /** Builds the logits of a batch. */
  abstract Output logits(VariableScope scope, Batch batch, ModelContext context, int units);

  /** Builds the operation that trains the model and counts the step. */
  abstract Operation minimize(VariableScope scope, Output loss, Variable globalStep);

  final Head head() {
    return head;
  }

  final Head.Options headOptions() {
    return headOptions;
  }

  /** Returns an estimator that weighs each example by a feature. */
  public final E withWeightColumn(String feature) {
    return with(settings(), new Head.Options(Optional.of(feature), headOptions.reduction()));
  }

  /**
   * Returns an estimator whose loss of a batch is another one than the sum, which is TensorFlow 1's
   * default. TensorFlow 2's is {@link Reduction#SUM_OVER_BATCH_SIZE}.
   */
  public final E withLossReduction(Reduction reduction) {
    return with(settings(), new Head.Options(headOptions.weightColumn(), reduction));
  }

  @Override
  final E with(EstimatorSettings settings) {
    return with(settings, headOptions);
  }

  @Override
  final ModelFunction modelFunction() {
    return (tf, batch, context) -> {
      VariableScope scope = VariableScope.of(tf);
      Output logits = logits(scope, batch, context, head.logitsDimension());
      return head.spec(
          tf,
          batch,
          context,
          headOptions,
          logits,
          loss -> minimize(scope, loss, GlobalStep.getOrCreate(tf)));
    };
  }

  /**
   * Adds a training step.
   *
   * @param slots the scope of the optimizer's slots, as TensorFlow's checkpoints name them
   */
  static Operation minimize(
      Optimizer optimizer, VariableScope slots, Output loss, Optional<Variable> globalStep) {
    List<Variable> all = Variables.trainable(loss.graph());
    return minimize(optimizer, slots, loss, all, globalStep);
  }

  static Operation minimize(
      Optimizer optimizer,
      VariableScope slots,
      Output loss,
      List<Variable> variables,
      Optional<Variable> globalStep) {
    return optimizer.applyGradients(
        slots, optimizer.computeGradients(slots.tf(), loss, variables), globalStep);
  }
}
