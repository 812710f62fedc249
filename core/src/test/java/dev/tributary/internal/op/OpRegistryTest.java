package dev.tributary.internal.op;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.TestOps;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class OpRegistryTest {
  private static final List<OpDeclaration> OPS = List.copyOf(TestOps.registry().all());
  private static final OpDeclaration FIRST = OPS.get(0);
  private static final OpDeclaration SECOND = OPS.get(1);
  private static final OpDeclaration THIRD = OPS.get(2);

  private final List<String> asked = new ArrayList<>();
  private final OpRegistry registry =
      OpRegistry.ofFamilies(
          List.of(family("later", SECOND), family("middle", FIRST), family("last", THIRD)));

  @Test
  void lookup_ofAnOpInAFamily_asksThatFamilyAndThoseBeforeIt() {
    assertThat(registry.lookup(FIRST.name())).isSameAs(FIRST);
    assertThat(registry.lookup(SECOND.name())).isSameAs(SECOND);
    assertThat(asked).containsExactly("later", "middle");
  }

  @Test
  void find_ofAnUnknownOp_asksEveryFamilyOnce() {
    assertThat(registry.find("Unknown")).isEmpty();
    assertThat(registry.find("Unknown")).isEmpty();
    assertThat(asked).containsExactly("later", "middle", "last");
  }

  @Test
  void lookup_ofAnUnknownOp_namesThoseThatAreSpeltAlike() {
    String misspelt = THIRD.name() + "x";
    assertThatThrownBy(() -> registry.lookup(misspelt))
        .isInstanceOfSatisfying(
            TributaryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND))
        .hasMessageContaining("'" + misspelt + "'")
        .hasMessageContaining("[" + THIRD.name());
  }

  @Test
  void all_ofSeveralFamilies_isSortedByName() {
    assertThat(registry.all()).containsExactly(FIRST, SECOND, THIRD);
  }

  @Test
  void all_withAnOpInTwoFamilies_isInternal() {
    OpRegistry twice = OpRegistry.ofFamilies(List.of(family("a", FIRST), family("b", FIRST)));
    assertThatThrownBy(twice::all)
        .isInstanceOfSatisfying(
            TributaryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL))
        .hasMessageContaining(FIRST.name() + " is declared twice");
  }

  private Supplier<Collection<OpDeclaration>> family(String name, OpDeclaration op) {
    return () -> {
      asked.add(name);
      return List.of(op);
    };
  }
}
