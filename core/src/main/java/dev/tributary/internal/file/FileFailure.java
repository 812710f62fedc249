package dev.tributary.internal.file;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipException;

/** Makes one exception of ours, with the right code, of whatever I/O throws. */
public final class FileFailure {
  /** Converts a failure of the system to an error for the caller. */
  private static final Map<String, ErrorCode> CODES =
      Map.of(
          "No space left on device", ErrorCode.RESOURCE_EXHAUSTED,
          "Disk quota exceeded", ErrorCode.RESOURCE_EXHAUSTED,
          "File too large", ErrorCode.RESOURCE_EXHAUSTED,
          "Too many open files", ErrorCode.RESOURCE_EXHAUSTED,
          "Read-only file system", ErrorCode.PERMISSION_DENIED,
          "Operation not permitted", ErrorCode.PERMISSION_DENIED,
          "Not a directory", ErrorCode.FAILED_PRECONDITION,
          "Is a directory", ErrorCode.FAILED_PRECONDITION,
          "File name too long", ErrorCode.INVALID_ARGUMENT);

  private FileFailure() {}

  /**
   * The failure to do something with a file.
   *
   * @param what a verb with its object, to be followed by the path: {@code "write checkpoint"}
   */
  public static TributaryException of(String what, Path path, IOException cause) {
    return new TributaryException(
        code(cause), "cannot " + what + " " + path + ": " + reason(path, cause), cause);
  }

  private static ErrorCode code(IOException cause) {
    if (cause instanceof NoSuchFileException) {
      return ErrorCode.NOT_FOUND;
    }
    if (cause instanceof AccessDeniedException) {
      return ErrorCode.PERMISSION_DENIED;
    }
    if (cause instanceof FileAlreadyExistsException) {
      return ErrorCode.FAILED_PRECONDITION;
    }
    if (cause instanceof EOFException || cause instanceof ZipException) {
      return ErrorCode.DATA_LOSS;
    }
    String reason = String.valueOf(cause.getMessage());
    return CODES.entrySet().stream()
        .filter(known -> reason.contains(known.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(ErrorCode.UNKNOWN);
  }

  /**
   * The reason in words. Exceptions of the file system name the file only; their class says what is
   * wrong with it.
   */
  private static String reason(Path path, IOException cause) {
    if (cause instanceof NoSuchFileException missing) {
      return "no such file or folder" + other(path, missing);
    }
    if (cause instanceof AccessDeniedException denied) {
      return "permission denied" + other(path, denied);
    }
    if (cause instanceof FileAlreadyExistsException existing) {
      return existing.getFile() + " exists and is not a folder";
    }
    if (cause instanceof MalformedInputException) {
      return "it is not a text in UTF-8";
    }
    if (cause instanceof FileSystemException failed && failed.getReason() != null) {
      return failed.getReason();
    }
    return cause.getMessage() == null ? "the system gives no reason" : cause.getMessage();
  }

  /** The file that the system complains about, if it is not the one that the message names. */
  private static String other(Path path, FileSystemException cause) {
    String file = cause.getFile();
    return file == null || file.equals(path.toString()) ? "" : ": " + file;
  }
}
