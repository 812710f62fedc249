/**
 * SavedModels: a graph with its variables, files and signatures in one folder, which TensorFlow, TF
 * Java and TF Serving load and write as well. Start at {@link
 * dev.tributary.train.savedmodel.SavedModel}.
 */
package dev.tributary.train.savedmodel;
