package dev.tributary.internal.file;

import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Begins a file, {@code PartWriterMain FILE}, and goes on with it until its input ends. */
final class PartWriterMain {
  private PartWriterMain() {}

  public static void main(String[] arguments) throws Exception {
    try (PartFile file = PartFile.create(Path.of(arguments[0]))) {
      file.write(ByteBuffer.wrap(new byte[100]));
      System.out.println("writing");
      System.in.read();
    }
  }
}
