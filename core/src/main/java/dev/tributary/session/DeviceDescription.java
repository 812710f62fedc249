package dev.tributary.session;

/**
 * A device on which steps can run.
 *
 * @param name its full name, {@code /job:worker/replica:0/task:1/device:CPU:0}
 * @param memoryLimit in bytes, as its task tells; 0 if it does not
 * @param incarnation which life of its process this is; 0 if it does not tell
 */
public record DeviceDescription(String name, String type, long memoryLimit, long incarnation) {}
