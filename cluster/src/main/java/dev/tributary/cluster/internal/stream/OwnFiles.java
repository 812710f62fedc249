package dev.tributary.cluster.internal.stream;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Tells files of this user from those that other users of the machine put into a folder that all of
 * them share. A link counts as what it is, never as what it points to. Systems that do not know
 * owners by number have no files of this user.
 */
final class OwnFiles {
  private static final String VIEW = "unix";
  private static final int KIND_MASK = 0170000;

  /** The kinds of files that are told apart, by their number in {@code st_mode}. */
  enum Kind {
    SOCKET(0140000),
    REGULAR(0100000),
    DIRECTORY(0040000);

    private final int mode;

    Kind(int mode) {
      this.mode = mode;
    }
  }

  private OwnFiles() {}

  /**
   * Returns whether a path is of this kind and has the owner of another one, which this process has
   * created.
   */
  static boolean isOwn(Path path, Kind kind, Path created) throws IOException {
    return path.getFileSystem().supportedFileAttributeViews().contains(VIEW)
        && Files.exists(path, LinkOption.NOFOLLOW_LINKS)
        && (attribute(path, "mode") & KIND_MASK) == kind.mode
        && attribute(path, "uid") == attribute(created, "uid");
  }

  private static int attribute(Path path, String name) throws IOException {
    return (int) Files.getAttribute(path, VIEW + ":" + name, LinkOption.NOFOLLOW_LINKS);
  }
}
