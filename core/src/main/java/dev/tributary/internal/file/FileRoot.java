package dev.tributary.internal.file;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The files that the ops of a device may use, and the only way in which kernels open them: all
 * files, or only those below one folder. A graph from another process names files as it likes, so
 * each name goes through {@link #resolve}, and each file is checked again when it is opened, since
 * one of a checkpoint's files may be a link though its prefix is none. Immutable.
 *
 * <p>Relative names begin at the folder. Names that leave it, by {@code ..} or by a link, are
 * refused. The links are those of the moment: whoever can change them on this machine is not
 * defended against. Pipes, devices and sockets are refused everywhere, as opening or reading one
 * may never end.
 *
 * <p>All methods wait for the file system. Reading and writing ends when the thread is interrupted,
 * as far as the file system allows.
 */
public final class FileRoot {
  private static final FileRoot ANYWHERE = new FileRoot(Optional.empty());
  private static final String LOCAL_SCHEME = "file://";
  private static final String SCHEME_END = "://";

  /** The bytes read at once: the JDK keeps a buffer of this size for each reading thread. */
  private static final int CHUNK = 1 << 20;

  private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

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

  // ---- names ----

  /**
   * The file of that name, which need not exist; never the folder itself, as what is written beside
   * it would be outside. A name may begin with {@code file://}.
   */
  public Path resolve(String name) {
    if (name.isEmpty()) {
      throw invalid(name, "it is empty");
    }
    Path path = parse(name);
    if (folder.isEmpty()) {
      return path;
    }
    Path wanted = folder.get().resolve(path).normalize();
    if (wanted.equals(folder.get())) {
      throw outside(name);
    }
    requireInside(wanted, name);
    return wanted;
  }

  /** The folder of that name; the empty name is where relative names begin. */
  public Path resolveFolder(String name) {
    Path path = parse(name);
    if (folder.isEmpty()) {
      return path;
    }
    Path wanted = folder.get().resolve(path).normalize();
    requireInside(wanted, name);
    return wanted;
  }

  /** Returns whether a file of a folder that ops may use is one itself, and no link out. */
  boolean holds(Path entry) {
    if (folder.isEmpty() || !Files.isSymbolicLink(entry)) {
      return true;
    }
    try {
      return entry.toRealPath().startsWith(folder.get());
    } catch (IOException e) {
      return false;
    }
  }

  private Path parse(String name) {
    String local = name.startsWith(LOCAL_SCHEME) ? name.substring(LOCAL_SCHEME.length()) : name;
    int scheme = local.indexOf(SCHEME_END);
    if (scheme > 0) {
      throw TributaryException.unimplemented(
          "file name '%s': no file system has the scheme '%s'; names are those of local files",
          name, local.substring(0, scheme));
    }
    try {
      return Path.of(local);
    } catch (InvalidPathException e) {
      throw invalid(name, e.getReason());
    }
  }

  // ---- files ----

  /** Opens a file to read it. */
  public FileChannel open(Path path) throws IOException {
    return open(path, Set.of(StandardOpenOption.READ));
  }

  /** Opens a file to read it from its beginning, without a buffer. */
  public InputStream stream(Path path) throws IOException {
    return Channels.newInputStream(open(path));
  }

  /** Reads all of a file. */
  public byte[] read(Path path) throws IOException {
    try (FileChannel channel = open(path)) {
      long size = channel.size();
      if (size > LONGEST_ARRAY) {
        throw new TributaryException(
            ErrorCode.RESOURCE_EXHAUSTED,
            path + " has " + size + " bytes, which do not fit into a string");
      }
      byte[] content = new byte[(int) size];
      int length = fill(channel, content, 0);
      ByteBuffer more = ByteBuffer.allocate(1);
      // Some files have more bytes than they say, such as those of /proc, which say they have none.
      while (length == content.length && channel.read(more) > 0) {
        content = Arrays.copyOf(content, Math.max(CHUNK, 2 * length));
        content[length] = more.get(0);
        length = fill(channel, content, length + 1);
        more.clear();
      }
      return length == content.length ? content : Arrays.copyOf(content, length);
    }
  }

  private static int fill(FileChannel channel, byte[] content, int start) throws IOException {
    int length = start;
    while (length < content.length) {
      int count = Math.min(CHUNK, content.length - length);
      int read = channel.read(ByteBuffer.wrap(content, length, count));
      if (read < 0) {
        return length;
      }
      length += read;
    }
    return length;
  }

  /** Writes a file in place of what it held, in a folder that is made if there is none. */
  public void write(Path path, byte[] content) throws IOException {
    if (folder.isPresent()) {
      requireInside(path, path.toString());
    }
    Files.createDirectories(path.toAbsolutePath().getParent());
    try (FileChannel channel = replace(path)) {
      for (int at = 0; at < content.length; at += CHUNK) {
        ByteBuffer chunk = ByteBuffer.wrap(content, at, Math.min(CHUNK, content.length - at));
        while (chunk.hasRemaining()) {
          channel.write(chunk);
        }
      }
    }
  }

  /** Makes a folder, with those that it is in, unless it exists. */
  public void makeFolder(Path path) throws IOException {
    if (folder.isPresent()) {
      requireInside(path, path.toString());
    }
    Files.createDirectories(path);
  }

  /** The files and folders in a folder in the order of their names, without links out. */
  public List<Path> list(Path path) throws IOException {
    if (folder.isPresent()) {
      requireInside(path, path.toString());
    }
    try (Stream<Path> entries = Files.list(path)) {
      return entries.filter(this::holds).sorted().toList();
    }
  }

  /** Opens a file of an existing folder to write it in place of what it held, without a buffer. */
  public OutputStream sink(Path path) throws IOException {
    return Channels.newOutputStream(replace(path));
  }

  /**
   * Creates a file that does not exist yet, in a folder that is made if there is none, to write it
   * without a buffer.
   */
  public OutputStream create(Path path) throws IOException {
    if (folder.isPresent()) {
      requireInside(path, path.toString());
    }
    Files.createDirectories(path.toAbsolutePath().getParent());
    return Channels.newOutputStream(
        open(path, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)));
  }

  private FileChannel replace(Path path) throws IOException {
    return open(
        path,
        Set.of(
            StandardOpenOption.WRITE,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING));
  }

  private FileChannel open(Path path, Set<OpenOption> how) throws IOException {
    Set<OpenOption> options = new HashSet<>(how);
    Path real = path;
    if (folder.isPresent()) {
      real = requireInside(path, path.toString());
      options.add(LinkOption.NOFOLLOW_LINKS);
    }
    requireNotSpecial(real);
    return FileChannel.open(real, options);
  }

  private static void requireNotSpecial(Path path) throws IOException {
    try {
      if (Files.readAttributes(path, BasicFileAttributes.class).isOther()) {
        throw TributaryException.failedPrecondition(
            "%s is a pipe, a device or a socket; file ops read and write regular files only", path);
      }
    } catch (NoSuchFileException e) {
      // It is about to be made, or opening it tells.
      return;
    }
  }

  /** Returns where a path leads when all links are followed. */
  private Path requireInside(Path path, String name) {
    Path inside = folder.orElseThrow();
    if (!path.startsWith(inside)) {
      throw outside(name);
    }
    Path existing = path;
    while (!Files.exists(existing, LinkOption.NOFOLLOW_LINKS)) {
      existing = existing.getParent();
    }
    try {
      Path real = existing.toRealPath();
      if (!real.startsWith(inside)) {
        throw outside(name);
      }
      return real.resolve(existing.relativize(path));
    } catch (NoSuchFileException e) {
      // A link that leads nowhere. To say so would tell what is outside.
      throw outside(name);
    } catch (IOException e) {
      throw FileFailure.of("follow", existing, e);
    }
  }

  private TributaryException outside(String name) {
    return new TributaryException(
        ErrorCode.PERMISSION_DENIED,
        "'" + name + "' names no file below " + folder.orElseThrow() + rule());
  }

  private TributaryException invalid(String name, String why) {
    String where = folder.map(only -> "; files are below " + only + rule()).orElse("");
    return TributaryException.invalidArgument(
        "%s", "'" + name + "' is not a file name: " + why + where);
  }

  private static String rule() {
    return ", the only folder that file ops may use here (--file-root,"
        + " ServerOptions.withFileRoot)";
  }

  @Override
  public String toString() {
    return folder.map(Path::toString).orElse("anywhere");
  }
}
