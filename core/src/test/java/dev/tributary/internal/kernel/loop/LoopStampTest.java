package dev.tributary.internal.kernel.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoopStampTest {
  private static LoopStamp<UnaryTile> stamp(Scalar.IntUnary function) {
    return new LoopStamp<>(IntTemplates.Unary.class, function);
  }

  private static int apply(LoopStamp<UnaryTile> stamp, int value) {
    int[] tile = {value};
    stamp.loop().run(tile, tile, 1);
    return tile[0];
  }

  @Test
  void loop_twoFunctions_haveClassesOfTheirOwn() {
    LoopStamp<UnaryTile> twice = stamp(x -> 2 * x);
    LoopStamp<UnaryTile> next = stamp(x -> x + 1);
    assertThat(apply(twice, 20)).isEqualTo(40);
    assertThat(apply(next, 20)).isEqualTo(21);
    assertThat(twice.loop().getClass()).isNotEqualTo(next.loop().getClass());
    assertThat(List.of(twice.loop().getClass().isHidden(), next.loop().getClass().isHidden()))
        .containsOnly(true);
  }

  @Test
  void loop_calledAgain_isTheSameAndWasMadeLate() {
    LoopStamp<UnaryTile> stamp = stamp(x -> -x);
    assertThat(stamp.isStamped()).isFalse();
    UnaryTile first = stamp.loop();
    assertThat(stamp.isStamped()).isTrue();
    assertThat(stamp.loop()).isSameAs(first);
  }

  /** Java has no templates over primitive types: these files are one text, and must stay so. */
  @ParameterizedTest
  @CsvSource({"Double,double,8", "Int,int,4", "Long,long,8"})
  void templates_ofAllCarriers_areTheFloatOnesWithAnotherType(
      String name, String primitive, String size) throws IOException {
    String wanted =
        loops("Float").replace("Float", name).replace("float", primitive).replace("4L", size + "L");
    if (!name.equals("Double")) {
      int test = wanted.indexOf("staticfinalclassTest");
      wanted =
          wanted.substring(0, test) + wanted.substring(wanted.indexOf("staticfinalclassBinary"));
    }
    assertThat(loops(name)).isEqualTo(wanted);
  }

  private static String loops(String name) throws IOException {
    Path file =
        Path.of("src/main/java/dev/tributary/internal/kernel/loop/" + name + "Templates.java");
    String text = Files.readString(file);
    // Where a line is broken depends on the length of the type's name.
    return text.substring(text.indexOf("  static final class Unary")).replaceAll("\\s+", "");
  }
}
