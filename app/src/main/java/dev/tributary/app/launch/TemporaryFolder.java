package dev.tributary.app.launch;

import dev.tributary.internal.file.FileFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Folders for the files of a run that nobody has named a folder for. */
public final class TemporaryFolder {
  private TemporaryFolder() {}

  /** Makes a new folder, which stays until somebody deletes it. */
  public static Path make(String prefix) {
    try {
      return Files.createTempDirectory(prefix);
    } catch (IOException e) {
      throw FileFailure.of(
          "make a folder for temporary files in", Path.of(System.getProperty("java.io.tmpdir")), e);
    }
  }
}
