package dev.tributary.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameTableTest {
  private final NameTable names = new NameTable();

  @Test
  void unique_sameNameAgain_getsTheNextNumber() {
    assertThat(names.unique("a")).isEqualTo("a");
    assertThat(names.unique("a")).isEqualTo("a_1");
    assertThat(names.unique("a")).isEqualTo("a_2");
  }

  @Test
  void unique_numberedNameInUse_isSkipped() {
    names.unique("a");
    names.unique("a_1");

    assertThat(names.unique("a")).isEqualTo("a_2");
    assertThat(names.unique("a_1")).isEqualTo("a_1_1");
  }

  @Test
  void unique_otherCase_countsAsTheSame() {
    names.unique("Add");

    assertThat(names.unique("add")).isEqualTo("add_1");
    assertThat(names.unique("ADD")).isEqualTo("ADD_2");
  }

  @Test
  void release_lastName_isFreeAgain() {
    names.unique("a");
    names.release(names.unique("a"));
    assertThat(names.unique("a")).isEqualTo("a_1");

    names.release("a");
    assertThat(names.unique("a")).isEqualTo("a");
    assertThat(names.unique("a")).isEqualTo("a_2");
  }

  @Test
  void reserve_name_isNotGivenOut() {
    names.reserve("a");
    names.reserve("a");

    assertThat(names.unique("a")).isEqualTo("a_1");
  }

  @Test
  void reserveWithScopes_name_takesEveryScopeAroundIt() {
    names.reserveWithScopes("a/b/c");

    assertThat(names.unique("a")).isEqualTo("a_1");
    assertThat(names.unique("a/b")).isEqualTo("a/b_1");
    assertThat(names.unique("a/b/c")).isEqualTo("a/b/c_1");
    assertThat(names.unique("b")).isEqualTo("b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "_a", "-a", "/a", "a b", "a:0", "^a", "a\n", "\u00e4"})
  void unique_badCharacters_isRefused(String name) {
    assertThatThrownBy(() -> names.unique(name))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("valid name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "A9", "0", ".a", "a/b_c-d.e", "a>b", "a\\b"})
  void unique_goodCharacters_isTaken(String name) {
    assertThat(names.unique(name)).isEqualTo(name);
  }
}
