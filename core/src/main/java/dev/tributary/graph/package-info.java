/**
 * Dataflow graphs: operations, outputs, scopes and devices. Entry types: {@link
 * dev.tributary.graph.Graph} and {@link dev.tributary.graph.Scope}. Imports the declarations of
 * ops; op families, rewrites and executors depend on it. Messages are the business of {@code
 * graph.wire}.
 */
package dev.tributary.graph;
