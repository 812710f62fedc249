/**
 * Dataflow graphs: operations, outputs, scopes, devices, and the declaration of an op with its
 * shape rule, kernel and gradient rule. Entry types: {@link dev.tributary.graph.Graph} and {@link
 * dev.tributary.graph.Scope}. Knows kernels only as factories; op families, rewrites and executors
 * stand on it. Messages are the business of {@code graph.wire}.
 */
package dev.tributary.graph;
