package dev.tributary.internal.kernel.text;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes a string to a stream or the log. */
public final class PrintV2 implements Kernel {
  private static final Logger LOG = LoggerFactory.getLogger(PrintV2.class);

  private final byte[] end;
  private final Consumer<byte[]> out;

  public PrintV2(KernelNode node) {
    end = ElementStrings.attribute(node, "end");
    out = target(node.attributes().string("output_stream"));
  }

  private static Consumer<byte[]> target(String stream) {
    if (stream.startsWith("file://")) {
      throw TributaryException.unimplemented(
          "PrintV2 does not append to files, got output stream %s; use WriteFile", stream);
    }
    return switch (stream) {
      case "stdout" -> line -> write(System.out, line);
      case "stderr" -> line -> write(System.err, line);
      case "log(info)" -> line -> LOG.info("{}", text(line));
      case "log(warning)" -> line -> LOG.warn("{}", text(line));
      case "log(error)" -> line -> LOG.error("{}", text(line));
      default ->
          throw TributaryException.invalidArgument(
              "Unknown output stream: %s, Valid streams are: stdout, stderr, log(info),"
                  + " log(warning), log(error)",
              stream);
    };
  }

  private static void write(PrintStream stream, byte[] line) {
    stream.write(line, 0, line.length);
    stream.flush();
  }

  private static String text(byte[] line) {
    return new String(line, StandardCharsets.UTF_8);
  }

  @Override
  public void compute(KernelContext context) {
    IndexTensors.requireScalar(context.input(0), "input");
    byte[] message = (byte[]) context.input(0).objects()[0];
    byte[] line = new byte[message.length + end.length];
    System.arraycopy(message, 0, line, 0, message.length);
    System.arraycopy(end, 0, line, message.length, end.length);
    out.accept(line);
  }
}
