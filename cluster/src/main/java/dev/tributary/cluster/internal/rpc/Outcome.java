package dev.tributary.cluster.internal.rpc;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.Optional;

/** The content of a response's body: a value, or the reason why there is none. */
record Outcome<R>(Optional<R> response, Optional<TributaryException> error) {
  static <R> Outcome<R> of(R response) {
    return new Outcome<>(Optional.of(response), Optional.empty());
  }

  /**
   * The error in the form of the body. A derived one goes out as the status of the call instead,
   * since bodies have no place for that mark.
   */
  static <R> Outcome<R> inBody(Throwable thrown) {
    TributaryException error = Statuses.toException(thrown);
    if (error.derived()) {
      throw error;
    }
    return new Outcome<>(Optional.empty(), Optional.of(error));
  }

  /** Reads the error from the two fields of a body; empty if there is none. */
  static Optional<TributaryException> error(int code, String message) {
    return code == ErrorCode.OK.number()
        ? Optional.empty()
        : Optional.of(Statuses.toException(code, message));
  }

  int code() {
    return error.map(TributaryException::code).orElse(ErrorCode.OK).number();
  }

  String message() {
    return error.map(Throwable::getMessage).orElse("");
  }

  R orThrow() {
    if (error.isPresent()) {
      throw error.get();
    }
    return response.orElseThrow();
  }
}
