package dev.tributary.train.data;

import java.time.Duration;

/**
 * The work of one stage of a pipeline since its iterator began.
 *
 * @param stage the op and the name of its node
 * @param elements how many elements it gave
 * @param busy how long it worked on them, without the time in which it waited for others
 * @param waiting how long it waited for elements of the stages before it
 * @param idle how long nobody asked it for an element
 * @param buffered how many elements are ready and wait for the next stage
 * @param capacity the most that may wait, 0 for a stage that makes none ahead
 */
public record StageStats(
    String stage,
    long elements,
    Duration busy,
    Duration waiting,
    Duration idle,
    long buffered,
    long capacity) {}
