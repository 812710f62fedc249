package dev.tributary.internal.collective;

/**
 * A device that takes part in collectives.
 *
 * @param device its full name
 * @param incarnation which life of the device this is
 * @param isOurs whether its task is known to be one of ours, which have more algorithms than
 *     TensorFlow's
 */
public record CollectiveMember(String device, long incarnation, boolean isOurs) {
  /** The name of the member's task: that of the device up to the last part. */
  public String task() {
    int end = device.indexOf("/device:");
    return end < 0 ? device : device.substring(0, end);
  }
}
