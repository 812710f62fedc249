package dev.tributary.train.replica;

import dev.tributary.session.Session;

/** What the chief runs to know who takes part. */
interface RosterOperations {
  /** The roster of one session of the chief. */
  Roster in(Session session);

  /** What the step that comes waits for, for people to read. */
  String missing(Session session);
}
