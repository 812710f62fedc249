/**
 * Estimators: models that are trained, evaluated, used and exported by the same program on one
 * machine and on a cluster. Entry types: the ready-made ones such as {@link
 * dev.tributary.train.estimator.DnnClassifier}, {@link
 * dev.tributary.train.estimator.CustomEstimator} for a model function of one's own, and {@link
 * dev.tributary.train.estimator.Estimators#trainAndEvaluate}. Names, defaults and files are those
 * of TensorFlow 1.15's {@code tf.estimator}.
 */
package dev.tributary.train.estimator;
