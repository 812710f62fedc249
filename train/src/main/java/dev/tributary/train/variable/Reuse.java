package dev.tributary.train.variable;

/** Decides if a scope creates variables or finds existing ones. */
enum Reuse {
  /** Each name is made once; a second time is an error. */
  NONE,
  /** Each name must have been made before. */
  ALWAYS,
  /** A name is made the first time, and found from then on. */
  AUTO
}
