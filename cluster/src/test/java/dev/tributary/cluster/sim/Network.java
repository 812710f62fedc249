package dev.tributary.cluster.sim;

import dev.tributary.cluster.internal.protocol.CallOptions;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * Carries the calls between processes. Every method of a master or a worker is a message, which
 * takes its time, and so does the answer. Confined to the simulation's thread.
 */
final class Network {
  /** What answers calls, and the process it is in. */
  record Endpoint(Life life, Object service) {}

  /** Where a task is to be found, from time to time in another process. */
  interface Address {
    /** Empty while the task is down. */
    Optional<Endpoint> endpoint();

    /** The task's name. */
    @Override
    String toString();
  }

  private record Link(String from, String to) {}

  final Scheduler scheduler;
  final Random random;
  private final Set<Call> calls = new LinkedHashSet<>();
  private final Map<Link, Long> cuts = new HashMap<>();
  private NetworkConditions conditions = NetworkConditions.good();

  Network(Scheduler scheduler, Random random) {
    this.scheduler = scheduler;
    this.random = random;
  }

  void conditions(NetworkConditions next) {
    conditions = next;
  }

  /** A master or worker at an address, as one process reaches it. */
  <I> I reach(Class<I> type, Life from, Address address) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getDeclaringClass() == Object.class) {
                return objectMethod(proxy, method, arguments, address);
              }
              if (method.getReturnType() != CompletableFuture.class) {
                return InvocationHandler.invokeDefault(proxy, method, arguments);
              }
              return call(from, address, method, arguments);
            }));
  }

  private Object call(Life from, Address address, Method method, Object[] arguments) {
    CallOptions options = (CallOptions) arguments[arguments.length - 1];
    Call call = new Call(this, from, address, method, arguments, options);
    calls.add(call);
    call.begin();
    return call.answer();
  }

  private static Object objectMethod(
      Object proxy, Method method, Object[] arguments, Address address) {
    return switch (method.getName()) {
      case "equals" -> proxy == arguments[0];
      case "hashCode" -> address.toString().hashCode();
      default -> address.toString();
    };
  }

  /** Ends a process: whoever calls it or is called by it finds out. */
  void crash(Life life) {
    life.end();
    breakAll(call -> call.isOf(life));
  }

  /** Breaks the connections between two tasks, which cannot make new ones for a while. */
  void cut(String one, String other, Duration time) {
    long end = scheduler.now() + time.toNanos();
    for (Link link : List.of(new Link(one, other), new Link(other, one))) {
      cuts.merge(link, end, Math::max);
      breakAll(call -> call.isBetween(link.from, link.to));
    }
  }

  /** Everybody reaches everybody from now on, and nothing is lost. */
  void heal() {
    cuts.clear();
    conditions = NetworkConditions.good();
  }

  boolean isCut(String from, String to) {
    return cuts.getOrDefault(new Link(from, to), 0L) > scheduler.now();
  }

  NetworkConditions.Fate fate() {
    return conditions.fate(random);
  }

  Duration delay() {
    return conditions.delay(random);
  }

  void forget(Call call) {
    calls.remove(call);
  }

  private void breakAll(Predicate<Call> condition) {
    for (Call call : new ArrayList<>(calls)) {
      if (condition.test(call)) {
        call.breakOff();
      }
    }
  }
}
