/**
 * Graphs and their functions as TensorFlow's messages, and in files. Entry types: {@link
 * dev.tributary.graph.wire.GraphDefs} and {@link dev.tributary.graph.wire.GraphFiles}. Graphs and
 * kernels never see protobuf, and never import this package.
 */
package dev.tributary.graph.wire;
