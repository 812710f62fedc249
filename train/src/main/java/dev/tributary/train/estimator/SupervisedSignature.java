package dev.tributary.train.estimator;

import dev.tributary.graph.Output;
import dev.tributary.train.savedmodel.SignatureDef;
import java.util.Map;

/** The signature of a model that is exported for training or evaluation. */
final class SupervisedSignature {
  /** The collection in which loaders look for the training operation. */
  private static final String TRAIN_OP = "saved_model_train_op";

  private SupervisedSignature() {}

  /** Returns the signature, and notes the training operation in the graph. */
  static SignatureDef of(ModelGraph model, Map<String, Output> inputs) {
    EstimatorSpec spec = model.spec();
    boolean trains = spec.mode() == ModeKeys.TRAIN;
    SignatureDef signature =
        SignatureDef.predict()
            .withMethodName(trains ? SignatureDef.TRAINING : SignatureDef.EVALUATION);
    for (Map.Entry<String, Output> input : inputs.entrySet()) {
      signature = signature.withInput(input.getKey(), input.getValue());
    }
    signature = signature.withOutput(EstimatorSpec.LOSS, spec.loss().orElseThrow());
    for (Map.Entry<String, Output> prediction : spec.predictions().entrySet()) {
      signature = signature.withOutput("predictions/" + prediction.getKey(), prediction.getValue());
    }
    for (var metric : spec.evalMetrics().entrySet()) {
      String prefix = "metrics/" + metric.getKey();
      signature =
          signature
              .withOutput(prefix + "/value", metric.getValue().value())
              .withOutput(prefix + "/update_op", metric.getValue().update());
    }
    spec.trainOp()
        .filter(operation -> trains)
        .ifPresent(operation -> model.graph().addToCollection(TRAIN_OP, operation));
    return signature;
  }
}
