package dev.tributary.interop;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_NewServer;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_ServerStart;

import java.util.Base64;
import org.bytedeco.javacpp.BytePointer;
import org.tensorflow.internal.c_api.TF_Server;
import org.tensorflow.internal.c_api.TF_Status;

/**
 * Runs one stock TensorFlow server for {@link TaskKind}. The argument is a ServerDef in base 64.
 */
final class StockServerMain {
  private StockServerMain() {}

  public static void main(String[] arguments) {
    byte[] serverDef = Base64.getDecoder().decode(arguments[0]);
    TF_Status status = TF_Status.newStatus();
    TF_Server server = TF_NewServer(new BytePointer(serverDef), serverDef.length, status);
    StockException.throwUnlessOk(status);
    TF_ServerStart(server, status);
    StockException.throwUnlessOk(status);
    TaskKind.serveUntilInputEnds();
    // A stock server cannot be stopped.
    Runtime.getRuntime().halt(0);
  }
}
