package dev.tributary.train.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import org.junit.jupiter.api.Test;

class ReplicasTest {
  @Test
  void asManyGradientsAsWorkers_whenSomeLeave_fallTogether() {
    Replicas replicas = new Replicas(3, 3);

    assertThat(replicas.initialTokens()).isZero();
    assertThat(replicas.required(0)).isEqualTo(3);
    assertThat(replicas.tokens(0)).isEqualTo(3);
    assertThat(replicas.required(1)).isEqualTo(2);
    assertThat(replicas.tokens(1)).isEqualTo(2);
    assertThat(replicas.required(3)).isEqualTo(1);
  }

  @Test
  void backupWorkers_whenSomeLeave_stepIn() {
    Replicas replicas = new Replicas(2, 4);

    assertThat(replicas.initialTokens()).isZero();
    assertThat(replicas.tokens(0)).isEqualTo(4);
    assertThat(replicas.required(2)).isEqualTo(2);
    assertThat(replicas.tokens(2)).isEqualTo(2);
    assertThat(replicas.required(3)).isEqualTo(1);
  }

  @Test
  void severalGradientsForEachWorker_areAskedForByTokens() {
    Replicas replicas = new Replicas(5, 2);

    assertThat(replicas.initialTokens()).isEqualTo(3);
    assertThat(replicas.tokens(0)).isEqualTo(5);
    assertThat(replicas.required(1)).isEqualTo(2);
    assertThat(replicas.tokens(1)).isEqualTo(2);
  }

  @Test
  void replicas_none_areRefused() {
    assertThatThrownBy(() -> new Replicas(0, 1)).isInstanceOf(TributaryException.class);
    assertThatThrownBy(() -> new Replicas(1, 0)).isInstanceOf(TributaryException.class);
  }
}
