package dev.tributary.internal.kernel.loop;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Tables of stamps by carrier, shared by the loop declarations. */
final class Loops {
  private Loops() {}

  static <T> Map<Carrier, LoopStamp<T>> with(
      Map<Carrier, LoopStamp<T>> stamps, Carrier carrier, LoopStamp<T> stamp) {
    Map<Carrier, LoopStamp<T>> more = new EnumMap<>(Carrier.class);
    more.putAll(stamps);
    more.put(carrier, stamp);
    return more;
  }

  static <T> boolean supports(Map<Carrier, LoopStamp<T>> stamps, DataType type) {
    return Carrier.isOf(type) && stamps.containsKey(Carrier.of(type));
  }

  static <T> void requireSupport(Map<Carrier, LoopStamp<T>> stamps, DataType type) {
    if (!supports(stamps, type)) {
      List<String> supported = new ArrayList<>();
      for (DataType candidate : DataType.values()) {
        if (supports(stamps, candidate)) {
          supported.add(candidate.lowerName());
        }
      }
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: %s", type.lowerName(), supported);
    }
  }

  static <T> T loop(Map<Carrier, LoopStamp<T>> stamps, Carrier carrier, DataType type) {
    LoopStamp<T> stamp = stamps.get(carrier);
    if (stamp == null) {
      throw TributaryException.unimplemented(
          "this function has no loop for %s; it computes with %s",
          type.lowerName(), stamps.keySet());
    }
    return stamp.loop();
  }
}
