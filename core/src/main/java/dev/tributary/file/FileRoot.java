package dev.tributary.file;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the file ops of a device may go: anywhere, or only into one folder. A graph from another
 * process names files as it likes, so each name goes through {@link #resolve} before it is used.
 * Immutable.
 *
 * <p>Inside of a folder, relative names begin there. Names that leave it, by {@code ..} or by a
 * link, are refused.
 */
public final class FileRoot {
  private static final FileRoot ANYWHERE = new FileRoot(Optional.empty());
  private static final String LOCAL_SCHEME = "file://";
  private static final String SCHEME_END = "://";

  private final Optional<Path> folder;

  private FileRoot(Optional<Path> folder) {
    this.folder = folder;
  }

  /** No limit; relative names begin at the working folder of the process. */
  public static FileRoot anywhere() {
    return ANYWHERE;
  }

  /** Only files below a folder, which must exist. */
  public static FileRoot under(Path folder) {
    try {
      Path real = folder.toRealPath();
      if (!Files.isDirectory(real)) {
        throw TributaryException.failedPrecondition(
            "cannot keep file ops to %s: it is not a folder", folder);
      }
      return new FileRoot(Optional.of(real));
    } catch (IOException e) {
      throw FileFailure.of("keep file ops to folder", folder, e);
    }
  }

  /** The file of that name, which need not exist. A name may begin with {@code file://}. */
  public Path resolve(String name) {
    String local = name.startsWith(LOCAL_SCHEME) ? name.substring(LOCAL_SCHEME.length()) : name;
    int scheme = local.indexOf(SCHEME_END);
    if (scheme > 0) {
      throw TributaryException.unimplemented(
          "file name '%s': no file system has the scheme '%s'; names are those of local files",
          name, local.substring(0, scheme));
    }
    Path path;
    try {
      path = Path.of(local);
    } catch (InvalidPathException e) {
      throw new TributaryException(
          ErrorCode.INVALID_ARGUMENT, "'" + name + "' is not a file name: " + e.getReason(), e);
    }
    return folder.map(inside -> within(inside, path, name)).orElse(path);
  }

  private static Path within(Path folder, Path path, String name) {
    Path wanted = folder.resolve(path).normalize();
    if (!wanted.startsWith(folder) || !realParent(wanted).startsWith(folder)) {
      throw new TributaryException(
          ErrorCode.PERMISSION_DENIED,
          "file name '"
              + name
              + "' is outside of "
              + folder
              + ", the only folder that file ops may use here (ServerOptions.files, --file-root)");
    }
    return wanted;
  }

  /** Returns where the part of the path that exists really lies: a link may lead elsewhere. */
  private static Path realParent(Path path) {
    for (Path existing = path; existing != null; existing = existing.getParent()) {
      if (Files.exists(existing, LinkOption.NOFOLLOW_LINKS)) {
        try {
          return existing.toRealPath();
        } catch (IOException e) {
          throw FileFailure.of("follow", existing, e);
        }
      }
    }
    return path;
  }

  @Override
  public String toString() {
    return folder.map(Path::toString).orElse("anywhere");
  }
}
