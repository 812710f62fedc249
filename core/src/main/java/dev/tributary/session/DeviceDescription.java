package dev.tributary.session;

/**
 * A device on which steps can run.
 *
 * @param name its full name, {@code /job:worker/replica:0/task:1/device:CPU:0}
 * @param memoryLimit in bytes, as reported by its task; 0 if unknown
 * @param incarnation a number that changes when its process restarts; 0 if unknown
 */
public record DeviceDescription(String name, String type, long memoryLimit, long incarnation) {}
