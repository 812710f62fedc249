package dev.tributary.event;

/** What an event says of a training session, with the numbers of TensorFlow's messages. */
public enum SessionStatus {
  UNSPECIFIED,
  START,
  STOP,
  CHECKPOINT
}
