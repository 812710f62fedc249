package dev.tributary.ops;

import dev.tributary.graph.Output;
import java.util.Map;

/**
 * The features of parsed sequence examples. Immutable.
 *
 * @param context the features of their contexts
 * @param lists their feature lists; dense ones have a dimension for examples and one for rows
 * @param lengths how many rows each example has of each dense list
 */
public record ParsedSequences(
    ParsedExamples context, ParsedExamples lists, Map<String, Output> lengths) {
  public ParsedSequences {
    lengths = Map.copyOf(lengths);
  }
}
