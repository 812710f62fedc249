package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.JavaProgram;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs with some of oneDNN's jars, each in a process of its own. */
@Tag("processes")
@Timeout(300)
class OneDnnJarsTest {
  private static final Predicate<String> IS_ONEDNN =
      place -> fileName(place).matches("(dnnl|opencl)-.*|javacpp-.*-linux-x86_64\\.jar");

  @TempDir Path folder;

  /** Prints an element of a product of matrices. */
  static final class Product {
    public static void main(String[] arguments) {
      Ops tf = Ops.create();
      Output ones = tf.fill(tf.constant(Tensor.of(64, 64)), tf.constant(1f));
      Output corner = tf.max(tf.matMul(ones, ones));
      try (Session session = Session.local(tf.graph());
          StepResult result = session.runner().fetch(corner).run()) {
        System.out.println("product: " + result.get(0).floatValue());
      }
    }
  }

  @Test
  void allJars_there_computeOnOneDnn() throws Exception {
    assertThat(output(classPath(place -> true)))
        .contains("product: 64.0")
        .anyMatch(line -> line.contains("INFO") && line.contains("kernels run on oneDNN"));
  }

  @Test
  void noJars_butJavaCpp_isNoWarning() throws Exception {
    assertThat(output(classPath(IS_ONEDNN.negate())))
        .contains("product: 64.0")
        .noneMatch(line -> line.contains("WARN"))
        .anyMatch(
            line ->
                line.contains("kernels run in plain Java")
                    && line.contains("missing on the class path or module path: org.bytedeco:dnnl")
                    && line.contains("tributary-natives"));
  }

  @ParameterizedTest
  @CsvSource({
    "dnnl-[^-]*-[^-]*\\.jar, org.bytedeco:dnnl.",
    "dnnl-.*-linux-x86_64\\.jar, org.bytedeco:dnnl:linux-x86_64.",
    "opencl-[^-]*-[^-]*\\.jar, org.bytedeco:opencl.",
    "opencl-.*-linux-x86_64\\.jar, org.bytedeco:opencl:linux-x86_64.",
    "opencl-.*\\.jar, 'org.bytedeco:opencl, org.bytedeco:opencl:linux-x86_64.'",
    "javacpp-.*-linux-x86_64\\.jar, org.bytedeco:javacpp:linux-x86_64.",
    "javacpp-[^-]*\\.jar, org.bytedeco:javacpp.",
  })
  void oneJar_missing_isNamed(String without, String name) throws Exception {
    assertThat(output(classPath(place -> !fileName(place).matches(without))))
        .contains("product: 64.0")
        .anyMatch(
            line ->
                line.contains("WARN")
                    && line.contains("kernels run in plain Java")
                    && line.contains("missing on the class path or module path: " + name));
  }

  @Test
  void javaCpp_ofAnotherVersion_isNamed() throws Exception {
    String other = javaCpp("1.5.9") + File.pathSeparator + classPath(place -> true);

    assertThat(output(other))
        .contains("product: 64.0")
        .anyMatch(
            line ->
                line.contains("WARN")
                    && line.contains("kernels run in plain Java")
                    && line.contains(
                        "versions that do not fit together: org.bytedeco:javacpp 1.5"));
  }

  private static List<String> output(String classPath) throws Exception {
    try (JavaProgram program =
        JavaProgram.start(List.of("-cp", classPath, Product.class.getName()))) {
      return program.awaitSuccess();
    }
  }

  private static String classPath(Predicate<String> kept) {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(kept)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String fileName(String place) {
    return Path.of(place).getFileName().toString();
  }

  /** A jar that says that it is JavaCPP of this version, and has nothing else. */
  private Path javaCpp(String version) throws IOException {
    Path jar = folder.resolve("javacpp-" + version + ".jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream content = new JarOutputStream(file)) {
      content.putNextEntry(new ZipEntry("META-INF/maven/org.bytedeco/javacpp/pom.properties"));
      content.write(("version=" + version).getBytes(StandardCharsets.UTF_8));
      content.closeEntry();
    }
    return jar;
  }
}
