package dev.tributary.cluster.internal.protocol;

import java.security.SecureRandom;

/**
 * The source of the ids of a task's steps, requests and sessions. They are random, since every task
 * of a cluster gives its own. Safe for use by many threads.
 */
public interface RandomIds {
  /** A number other than 0, for a step or a request. */
  long next();

  /** A number that nobody guesses, for a session. */
  long nextSecret();

  /** Returns the source that servers use. */
  static RandomIds ofProcess() {
    SecureRandom secret = new SecureRandom();
    return new RandomIds() {
      @Override
      public long next() {
        return RequestIds.next();
      }

      @Override
      public long nextSecret() {
        return secret.nextLong();
      }
    };
  }
}
