package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.JavaProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What the library changes of its process: nothing, unless it is asked to. */
@Tag("processes")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ProcessTuningTest {
  private static final String TUNED = "tuned";
  private static final String LIMITED = "GOMP_SPINCOUNT = '5000'";

  @Test
  @EnabledOnOs(OS.LINUX) // GNU's OpenMP prints what it read of its environment.
  void openMp_programThatAsks_spinsForAShortTime() throws Exception {
    assertThat(output(TUNED)).contains(LIMITED).contains("io.netty.jfr.enabled is false");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void process_programThatDoesNotAsk_staysAsItIs() throws Exception {
    assertThat(output())
        .contains("GOMP_SPINCOUNT = ")
        .doesNotContain(LIMITED)
        .contains("io.netty.jfr.enabled is null");
  }

  private static String output(String... arguments) throws Exception {
    List<String> java =
        new ArrayList<>(
            List.of("-cp", System.getProperty("java.class.path"), Product.class.getName()));
    java.addAll(List.of(arguments));
    try (JavaProgram program =
        JavaProgram.start(
            java,
            environment -> {
              environment.remove("GOMP_SPINCOUNT");
              environment.remove("OMP_WAIT_POLICY");
              environment.put("OMP_DISPLAY_ENV", "VERBOSE");
            })) {
      return String.join("\n", program.awaitSuccess());
    }
  }

  /** Computes a product of matrices, with oneDNN. */
  static final class Product {
    private Product() {}

    public static void main(String[] arguments) {
      if (List.of(arguments).contains(TUNED)) {
        ProcessTuning.apply();
      }
      Ops tf = Ops.create();
      try (Session session = Session.local(tf.graph())) {
        Output matrix = tf.constant(Shape.of(64, 64), new float[64 * 64]);
        session.fetch(tf.matMul(matrix, matrix));
      }
      System.out.println("io.netty.jfr.enabled is " + System.getProperty("io.netty.jfr.enabled"));
    }
  }
}
