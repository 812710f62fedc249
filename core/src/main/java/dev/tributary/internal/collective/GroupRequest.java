package dev.tributary.internal.collective;

import java.time.Duration;

/**
 * The wish of a device to become a member of a group.
 *
 * @param deviceType the type of all members, such as {@code CPU}
 * @param limit the longest time that the device waits for the others
 */
public record GroupRequest(
    int key, int size, String deviceType, CollectiveMember member, Duration limit) {}
