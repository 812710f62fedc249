package dev.tributary.examples.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.testing.NoLeaks;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The README's program, compiled and run as it stands there. */
@NoLeaks
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ReadmeProgramTest {
  private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private static final String FRAME =
      """
      import dev.tributary.graph.*;
      import dev.tributary.ops.*;
      import dev.tributary.session.*;
      import dev.tributary.tensor.*;
      import dev.tributary.train.optimizer.*;

      public class ReadmeProgram {
        public static void main(String[] arguments) {
      %s
        }
      }
      """;

  @Test
  void readme_program_findsTheLine(@TempDir Path folder) throws Exception {
    Matcher block = JAVA_BLOCK.matcher(Files.readString(Path.of("..", "README.md")));
    assertThat(block.find()).isTrue();
    compile(folder, String.format(FRAME, block.group(1)));
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      Method main = loader.loadClass("ReadmeProgram").getMethod("main", String[].class);
      assertThat(ModelExamplesTest.output(arguments -> invoke(main, arguments)))
          .containsExactly("2.00 x + 1.00");
    }
  }

  private static void compile(Path folder, String program) throws Exception {
    Path source = Files.writeString(folder.resolve("ReadmeProgram.java"), program);
    StringWriter errors = new StringWriter();
    var compiler = ToolProvider.getSystemJavaCompiler();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      boolean compiled =
          compiler
              .getTask(errors, files, null, null, null, files.getJavaFileObjects(source))
              .call();
      assertThat(compiled).as(errors.toString()).isTrue();
    }
  }

  private static void invoke(Method main, String[] arguments) {
    try {
      main.invoke(null, (Object) arguments);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
