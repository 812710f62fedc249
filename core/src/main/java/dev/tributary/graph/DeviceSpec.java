package dev.tributary.graph;

import dev.tributary.error.TributaryException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A device name, whole or in part: {@code /job:ps/replica:0/task:1/device:CPU:0}. Parts come in any
 * order and any may be left out; {@code *} as a value leaves it out too. The old forms {@code
 * /cpu:0} and {@code /gpu:0} are read as well.
 */
public record DeviceSpec(
    Optional<String> job,
    OptionalInt replica,
    OptionalInt task,
    Optional<String> type,
    OptionalInt index) {
  private static final DeviceSpec EMPTY =
      new DeviceSpec(
          Optional.empty(),
          OptionalInt.empty(),
          OptionalInt.empty(),
          Optional.empty(),
          OptionalInt.empty());
  private static final Pattern PART =
      Pattern.compile("/(job|replica|task|device|cpu|CPU|gpu|GPU):([^/]*)");
  private static final Pattern JOB = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");
  private static final Pattern DEVICE =
      Pattern.compile("([A-Za-z][A-Za-z0-9_]*)(?::(\\*|[0-9]+))?");

  public static DeviceSpec empty() {
    return EMPTY;
  }

  public static DeviceSpec parse(String text) {
    if (text.isEmpty() || text.equals("/")) {
      return EMPTY;
    }
    String name = text.startsWith("/") ? text : "/device:" + text;
    DeviceSpec spec = EMPTY;
    Matcher parts = PART.matcher(name);
    int end = 0;
    while (parts.find() && parts.start() == end) {
      spec = spec.withPart(parts.group(1), parts.group(2), text);
      end = parts.end();
    }
    if (end != name.length()) {
      throw malformed(text);
    }
    return spec;
  }

  public boolean isEmpty() {
    return this == EMPTY
        || job.isEmpty()
            && replica.isEmpty()
            && task.isEmpty()
            && type.isEmpty()
            && index.isEmpty();
  }

  /** Returns whether task and device are fully named. */
  public boolean isComplete() {
    return job.isPresent()
        && replica.isPresent()
        && task.isPresent()
        && type.isPresent()
        && index.isPresent();
  }

  /**
   * This spec where it says something, and {@code outer} elsewhere. An index goes with its type.
   */
  public DeviceSpec orElse(DeviceSpec outer) {
    if (this == EMPTY) {
      return outer; // Operations of a scope then share its spec.
    }
    boolean ownType = type.isPresent();
    return new DeviceSpec(
        job.isPresent() ? job : outer.job,
        replica.isPresent() ? replica : outer.replica,
        task.isPresent() ? task : outer.task,
        ownType ? type : outer.type,
        ownType || index.isPresent() ? index : outer.index);
  }

  /** Returns whether every part that this spec names is the same in {@code device}. */
  public boolean matches(DeviceSpec device) {
    return (job.isEmpty() || job.equals(device.job))
        && (replica.isEmpty() || replica.equals(device.replica))
        && (task.isEmpty() || task.equals(device.task))
        && (type.isEmpty() || type.equals(device.type))
        && (index.isEmpty() || index.equals(device.index));
  }

  /** TensorFlow's canonical form; a type without an index is written with {@code :*}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    job.ifPresent(j -> text.append("/job:").append(j));
    replica.ifPresent(r -> text.append("/replica:").append(r));
    task.ifPresent(t -> text.append("/task:").append(t));
    type.ifPresent(
        t ->
            text.append("/device:")
                .append(t)
                .append(':')
                .append(index.isPresent() ? index.getAsInt() : "*"));
    return text.toString();
  }

  private DeviceSpec withPart(String key, String value, String text) {
    boolean any = value.equals("*");
    switch (key) {
      case "job":
        if (!any && !JOB.matcher(value).matches()) {
          throw malformed(text);
        }
        return new DeviceSpec(
            any ? Optional.empty() : Optional.of(value), replica, task, type, index);
      case "replica":
        return new DeviceSpec(
            job, any ? OptionalInt.empty() : number(value, text), task, type, index);
      case "task":
        return new DeviceSpec(
            job, replica, any ? OptionalInt.empty() : number(value, text), type, index);
      case "device":
        if (any) {
          return new DeviceSpec(job, replica, task, Optional.empty(), OptionalInt.empty());
        }
        Matcher device = DEVICE.matcher(value);
        if (!device.matches()) {
          throw malformed(text);
        }
        String id = device.group(2);
        return new DeviceSpec(job, replica, task, Optional.of(device.group(1)), indexOf(id, text));
      default:
        return new DeviceSpec(
            job,
            replica,
            task,
            Optional.of(key.toUpperCase(java.util.Locale.ROOT)),
            indexOf(value, text));
    }
  }

  private static OptionalInt indexOf(String id, String text) {
    return id == null || id.equals("*") ? OptionalInt.empty() : number(id, text);
  }

  private static OptionalInt number(String digits, String text) {
    try {
      int number = Integer.parseInt(digits);
      if (number >= 0) {
        return OptionalInt.of(number);
      }
    } catch (NumberFormatException e) {
      // Falls through to the one message for every malformed name.
    }
    throw malformed(text);
  }

  private static TributaryException malformed(String text) {
    return TributaryException.invalidArgument(
        "malformed device specification '%s', wanted something like /job:ps/task:1/device:CPU:0",
        text);
  }
}
