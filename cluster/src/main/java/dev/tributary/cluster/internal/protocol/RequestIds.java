package dev.tributary.cluster.internal.protocol;

import java.util.concurrent.ThreadLocalRandom;

/** Ids for requests: random, since every task of a cluster gives its own, and never 0. */
public final class RequestIds {
  private RequestIds() {}

  public static long next() {
    long id = ThreadLocalRandom.current().nextLong();
    return id != 0 ? id : next();
  }
}
