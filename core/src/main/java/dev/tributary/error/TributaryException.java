package dev.tributary.error;

/**
 * The one exception of this library. Its {@link #code} says what the caller can do; its message
 * says where, what, got and wanted. A failure that was only caused by another one (the cancelled
 * rest of a failed step) is {@link #derived}.
 */
public final class TributaryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final boolean derived;

  public TributaryException(ErrorCode code, String message) {
    this(code, message, null, false);
  }

  public TributaryException(ErrorCode code, String message, Throwable cause) {
    this(code, message, cause, false);
  }

  private TributaryException(ErrorCode code, String message, Throwable cause, boolean derived) {
    super(message, cause);
    this.code = code;
    this.derived = derived;
  }

  /** A failure which follows from {@code cause} and must not hide it. */
  public static TributaryException derived(ErrorCode code, String message, Throwable cause) {
    return new TributaryException(code, message, cause, true);
  }

  public static TributaryException cancelled(String format, Object... arguments) {
    return new TributaryException(ErrorCode.CANCELLED, text(format, arguments));
  }

  public static TributaryException invalidArgument(String format, Object... arguments) {
    return new TributaryException(ErrorCode.INVALID_ARGUMENT, text(format, arguments));
  }

  public static TributaryException failedPrecondition(String format, Object... arguments) {
    return new TributaryException(ErrorCode.FAILED_PRECONDITION, text(format, arguments));
  }

  public static TributaryException notFound(String format, Object... arguments) {
    return new TributaryException(ErrorCode.NOT_FOUND, text(format, arguments));
  }

  public static TributaryException outOfRange(String format, Object... arguments) {
    return new TributaryException(ErrorCode.OUT_OF_RANGE, text(format, arguments));
  }

  public static TributaryException unimplemented(String format, Object... arguments) {
    return new TributaryException(ErrorCode.UNIMPLEMENTED, text(format, arguments));
  }

  public static TributaryException internal(String format, Object... arguments) {
    return new TributaryException(ErrorCode.INTERNAL, text(format, arguments));
  }

  /** The same failure with its place put in front, as the executor does for a kernel's error. */
  public TributaryException at(String where) {
    TributaryException located =
        new TributaryException(code, where + ": " + getMessage(), getCause(), derived);
    located.setStackTrace(getStackTrace());
    return located;
  }

  public ErrorCode code() {
    return code;
  }

  public boolean derived() {
    return derived;
  }

  @Override
  public String toString() {
    return code + ": " + getMessage();
  }

  private static String text(String format, Object[] arguments) {
    return arguments.length == 0 ? format : String.format(java.util.Locale.ROOT, format, arguments);
  }
}
