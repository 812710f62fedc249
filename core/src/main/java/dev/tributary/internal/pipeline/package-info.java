/**
 * Reports of pipelines of datasets on themselves: {@link
 * dev.tributary.internal.pipeline.PipelineReport}, in TensorFlow's message. Kernels depend on it.
 */
package dev.tributary.internal.pipeline;
