package dev.tributary.internal.event;

/** The state of a training session in an event, with the numbers of TensorFlow's messages. */
public enum SessionStatus {
  UNSPECIFIED,
  START,
  STOP,
  CHECKPOINT
}
