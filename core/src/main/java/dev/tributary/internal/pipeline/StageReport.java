package dev.tributary.internal.pipeline;

import java.time.Duration;
import java.util.List;

/**
 * The work of one stage of a pipeline since its iterator was initialised, in all its passes.
 *
 * @param name the op and its name
 * @param inputs the ids of the stages that it asks for elements
 * @param elements the elements that it gave
 * @param producing from each request for an element to its answer, added up; the time in which the
 *     stage waits for its own inputs is part of it, and is theirs, too
 * @param idle from each answer to the next request, added up: the consumer was busy or had no room
 * @param buffered the elements that wait for the consumer
 * @param capacity the most elements that may wait, or 0 if none ever does
 */
public record StageReport(
    long id,
    String name,
    List<Long> inputs,
    long elements,
    Duration producing,
    Duration idle,
    long buffered,
    long capacity) {
  public StageReport {
    inputs = List.copyOf(inputs);
  }
}
