package dev.tributary.session;

import dev.tributary.internal.step.RegisteredGraph;
import java.util.Map;
import java.util.Set;

/**
 * A graph for partial runs.
 *
 * @param feedsOfFetches the names of the feeds that each fetch depends on
 */
record PartialGraph(RegisteredGraph graph, Map<String, Set<String>> feedsOfFetches) {}
