package dev.tributary.train.chaos;

import java.time.Duration;

/** Kinds of fault that meet one or two tasks of a training. */
enum TrainingFault {
  /** {@code kill -9}, and a new process at once. */
  KILL,
  /** {@code kill -9}, and a new process some seconds later. */
  KILL_FOR_A_WHILE,
  /** The process stands still, and so do its connections. */
  FREEZE,
  /** As {@link #FREEZE}, for longer than anybody waits. */
  FREEZE_FOR_LONG,
  /** Two tasks are killed at the same moment. */
  KILL_TWO,
  /** One task is killed while another stands still. */
  KILL_AND_FREEZE,
  /** The new process is killed while it starts. */
  KILL_DURING_START,
  /** {@code kill -9} while a checkpoint is written. */
  KILL_DURING_SAVE;

  static final Duration FROZEN = Duration.ofSeconds(10);
  static final Duration FROZEN_FOR_LONG = Duration.ofSeconds(60);
}
