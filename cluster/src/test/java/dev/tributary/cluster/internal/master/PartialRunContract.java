package dev.tributary.cluster.internal.master;

import static dev.tributary.cluster.internal.master.TestClient.await;
import static dev.tributary.cluster.internal.master.TestClient.code;
import static dev.tributary.cluster.internal.master.TestClient.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.error.ErrorCode;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a master promises about steps in pieces, however it is reached. */
abstract class PartialRunContract extends MasterFixture {
  @Test
  void partialRun_pieces_runOneStep() {
    chain();
    try (TestClient client = open();
        Tensor one = Tensor.scalar(1f)) {
      String run =
          await(client.partialRun(List.of("a:0", "b:0"), List.of("a1:0", "ab:0"), List.of()));

      assertThat(run).isEqualTo("0");
      assertThat(numbers(await(client.piece(run, Map.of("a:0", one), List.of("a1:0")))))
          .containsEntry("a1:0", 2.0);
      assertThat(numbers(await(client.piece(run, Map.of("b:0", one), List.of("ab:0")))))
          .containsEntry("ab:0", 3.0);
      assertThat(code(client.piece(run, Map.of(), List.of("ab:0"))))
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(await(client.partialRun(List.of("a:0"), List.of("a1:0"), List.of())))
          .isEqualTo("1");
    }
  }

  @Test
  void partialRun_badPieces_areInvalidAndTheRunGoesOn() {
    chain();
    try (TestClient client = open();
        Tensor one = Tensor.scalar(1f)) {
      String run =
          await(client.partialRun(List.of("a:0", "b:0"), List.of("a1:0", "ab:0"), List.of()));

      assertThat(code(client.piece("7", Map.of(), List.of("a1:0"))))
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(code(client.piece(run, Map.of("a:0", one), List.of("ab:0"))))
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(code(client.piece(run, Map.of("a1:0", one), List.of())))
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(code(client.piece(run, Map.of("a:0", one), List.of("b:0"))))
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);

      await(client.piece(run, Map.of("a:0", one), List.of()));
      assertThat(code(client.piece(run, Map.of("a:0", one), List.of())))
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(numbers(await(client.piece(run, Map.of("b:0", one), List.of("a1:0", "ab:0")))))
          .containsEntry("ab:0", 3.0);
    }
  }

  @Test
  void partialRun_leftAlone_endsWithTheSession() {
    chain();
    TestClient client = open();
    try (Tensor one = Tensor.scalar(1f)) {
      String run = await(client.partialRun(List.of("a:0", "b:0"), List.of("ab:0"), List.of()));
      await(client.piece(run, Map.of("a:0", one), List.of()));
    }
    client.close();
  }
}
