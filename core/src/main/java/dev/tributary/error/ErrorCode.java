package dev.tributary.error;

/**
 * The seventeen canonical codes, with the numbers they have on the wire. Choose one by what the
 * caller should do next: fix the call ({@link #INVALID_ARGUMENT}), fix the state first ({@link
 * #FAILED_PRECONDITION}), try again at a higher level ({@link #ABORTED}), or try the same call
 * again ({@link #UNAVAILABLE}).
 */
public enum ErrorCode {
  OK,
  CANCELLED,
  UNKNOWN,
  INVALID_ARGUMENT,
  DEADLINE_EXCEEDED,
  NOT_FOUND,
  ALREADY_EXISTS,
  PERMISSION_DENIED,
  RESOURCE_EXHAUSTED,
  FAILED_PRECONDITION,
  ABORTED,
  OUT_OF_RANGE,
  UNIMPLEMENTED,
  INTERNAL,
  UNAVAILABLE,
  DATA_LOSS,
  UNAUTHENTICATED;

  /** The code's number in TensorFlow's and gRPC's messages. */
  public int number() {
    return ordinal();
  }
}
