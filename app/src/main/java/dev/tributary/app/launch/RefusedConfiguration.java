package dev.tributary.app.launch;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The failure of a task whose configuration would be refused again: its files, its environment, or
 * its security. Schedulers see it by its {@linkplain #EXIT_CODE exit code}, and do not retry.
 */
public final class RefusedConfiguration extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The code of a configuration error in {@code sysexits.h}. */
  public static final int EXIT_CODE = 78;

  private static final Set<ErrorCode> CODES =
      EnumSet.of(ErrorCode.FAILED_PRECONDITION, ErrorCode.NOT_FOUND, ErrorCode.PERMISSION_DENIED);

  RefusedConfiguration(TributaryException reason) {
    super(reason.getMessage(), reason);
  }

  /** Runs a check; what it refuses is refused for good. */
  public static void check(Runnable check) {
    orRefused(
        () -> {
          check.run();
          return true;
        });
  }

  /** Returns what is configured, or says that it is refused for good. */
  public static <T> T orRefused(Supplier<T> configured) {
    try {
      return configured.get();
    } catch (TributaryException e) {
      throw CODES.contains(e.code()) ? new RefusedConfiguration(e) : e;
    }
  }
}
