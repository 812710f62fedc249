/**
 * Feature columns: descriptions of how raw features become inputs of a model, as TensorFlow's
 * {@code tf.feature_column}. {@link dev.tributary.train.feature.FeatureColumns} makes them; {@link
 * dev.tributary.train.feature.InputLayer} and {@link dev.tributary.train.feature.LinearModel} use
 * them in a graph.
 */
package dev.tributary.train.feature;
