package dev.tributary.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.internal.op.OpDeclaration;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A family of ops is one class, with declarations and client methods; the registry has them all.
 */
class OpFamiliesTest {
  /** A class with a static {@code declarations()}, and the names of the ops that it declares. */
  private record Family(Class<?> type, String source, List<String> ops) {
    boolean hasClientMethods() {
      return Arrays.stream(type.getDeclaredMethods())
          .anyMatch(method -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic());
    }

    /** The names of ops in the source, whether given to the scope or to a method that does that. */
    List<String> mentions(Collection<String> names) {
      return names.stream().filter(op -> source.contains('"' + op + '"')).toList();
    }
  }

  private static final List<String> CLASSES = new ArrayList<>();
  private static final List<Family> FAMILIES = new ArrayList<>();

  @BeforeAll
  static void findFamilies() throws Exception {
    for (Path file : sources()) {
      Class<?> type =
          Class.forName("dev.tributary.ops." + file.getFileName().toString().replace(".java", ""));
      CLASSES.add(type.getSimpleName());
      for (Method method : type.getDeclaredMethods()) {
        if (method.getName().equals("declarations")) {
          List<String> ops = new ArrayList<>();
          ((List<?>) method.invoke(null)).forEach(op -> ops.add(((OpDeclaration) op).name()));
          FAMILIES.add(new Family(type, Files.readString(file), ops));
        }
      }
    }
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src/main/java/dev/tributary/ops"))) {
      return files.filter(file -> !file.endsWith("package-info.java")).sorted().toList();
    }
  }

  @Test
  void classes_ofThePackage_areNotNamedForDeclarationsAlone() {
    assertThat(CLASSES).contains("MathOps").noneMatch(name -> name.endsWith("Declarations"));
  }

  @Test
  void families_allTogether_declareEachOpOfTheRegistryOnce() {
    List<String> registered = Ops.registry().all().stream().map(OpDeclaration::name).toList();

    assertThat(FAMILIES.stream().flatMap(family -> family.ops().stream()))
        .as("a family is missing in Ops.registry(), or gives the declarations of another")
        .containsExactlyInAnyOrderElementsOf(registered);
  }

  @Test
  void family_withoutClientMethods_hasNoneInAnotherFamily() {
    List<Family> withoutMethods =
        FAMILIES.stream().filter(family -> !family.hasClientMethods()).toList();

    assertThat(withoutMethods).extracting(Family::type).contains(FusedOps.class);
    for (Family family : withoutMethods) {
      for (Family other : FAMILIES) {
        if (other != family) {
          assertThat(other.mentions(family.ops()))
              .as("ops of %s in %s", family.type().getSimpleName(), other.type().getSimpleName())
              .isEmpty();
        }
      }
    }
  }
}
