package dev.tributary.internal.memory;

/**
 * The memory that an allocator has given out and keeps.
 *
 * @param liveBuffers blocks that somebody holds
 * @param liveBytes their size
 * @param cachedBytes free bytes kept for reuse
 * @param peakLiveBytes the most that was live at once
 * @param allocations how often a block was asked for
 * @param reuses how many of these came from the pool
 */
public record AllocatorStats(
    long liveBuffers,
    long liveBytes,
    long cachedBytes,
    long peakLiveBytes,
    long allocations,
    long reuses) {}
