package dev.tributary.interop;

import dev.tributary.cluster.certs.CertificateFolder;
import dev.tributary.testing.JavaProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Optional;
import org.tensorflow.proto.ServerDef;

/**
 * Whose server a task of a test cluster runs. Each task is a process of its own, which ends with
 * this one: its standard input is a pipe from here.
 */
enum TaskKind {
  STOCK(StockServerMain.class),
  OURS(TributaryServerMain.class);

  static final String READY = "task is ready";

  private final Class<?> main;

  TaskKind(Class<?> main) {
    this.main = main;
  }

  /** Starts a task, which says {@link #READY} when it serves. */
  JavaProgram start(ServerDef task, Optional<CertificateFolder> certificates) throws IOException {
    return JavaProgram.start(
        main,
        Base64.getEncoder().encodeToString(task.toByteArray()),
        System.getProperty("tributary.backend", "AUTO"),
        OurTasks.FAST_PATHS.name(),
        certificates.map(files -> files.folder().toString()).orElse(""));
  }

  /** What a task's main does once its server serves. */
  static void serveUntilInputEnds() {
    System.out.println(READY);
    try {
      while (System.in.read() >= 0) {
        // Nothing is ever sent; the end of the stream is the signal.
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
