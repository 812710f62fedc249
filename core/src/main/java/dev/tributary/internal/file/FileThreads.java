package dev.tributary.internal.file;

/**
 * The threads on which the file ops of one session wait for files, so that no thread that runs
 * nodes ever does. They begin when they are needed and end when they are idle for a while. All are
 * daemons. The sessions of a task share them; see {@link FilePlaces} for the part that each gets.
 * Safe for use by many threads.
 *
 * <p>A thread in a system call on a dead mount cannot be stopped by anybody. So whoever waits for
 * work may {@link #leave} it: work that was left makes room for other work while its thread stays
 * where it is.
 */
public final class FileThreads implements AutoCloseable {
  private final FilePlaces places;
  private final FilePlaces.Share share = new FilePlaces.Share();

  /** Makes threads whose names begin with {@code role}. */
  public FileThreads(String role) {
    this(new FilePlaces(role));
  }

  private FileThreads(FilePlaces places) {
    this.places = places;
  }

  /** Returns the same threads for another session, which gets a part of its own. */
  public FileThreads forSession() {
    return new FileThreads(places);
  }

  /**
   * Does the work as soon as the session has a place, unless it is left before. Fails with
   * RESOURCE_EXHAUSTED if too many threads are stuck; then it is never done.
   */
  public void begin(FileTask task) {
    places.begin(share, task);
  }

  /**
   * Reports that nobody waits for the work any more; does nothing if it has ended. If it runs, the
   * thread is interrupted where the task allows that.
   *
   * @return whether the work will never be done, since it had not begun
   */
  public boolean leave(FileTask task) {
    return places.leave(task);
  }

  /**
   * Ends the threads, for all sessions. Waits a moment for work that is under way; the caller has
   * left all of it.
   */
  @Override
  public void close() {
    places.close();
  }
}
