package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import io.grpc.Metadata;
import io.grpc.Status;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StatusesTest {
  @ParameterizedTest
  @EnumSource(value = ErrorCode.class, mode = EnumSource.Mode.EXCLUDE, names = "OK")
  void status_everyCode_survives(ErrorCode code) {
    TributaryException back = there(new TributaryException(code, "node 'x': wrong"));

    assertThat(back.code()).isEqualTo(code);
    assertThat(back.getMessage()).isEqualTo("node 'x': wrong");
    assertThat(back.derived()).isFalse();
  }

  @Test
  void status_derived_survives() {
    TributaryException derived = TributaryException.derived(ErrorCode.ABORTED, "step ended", null);

    assertThat(there(derived).derived()).isTrue();
  }

  @Test
  void status_derivedInTheTextOfOldVersions_isRead() {
    TributaryException back =
        Statuses.toException(
            Status.ABORTED.withDescription("[_Derived_]step ended"), new Metadata());

    assertThat(back.derived()).isTrue();
    assertThat(back.getMessage()).isEqualTo("step ended");
  }

  @Test
  void status_detailsOfSomebodyElse_areIgnored() {
    Metadata trailers = new Metadata();
    trailers.put(
        Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER),
        new byte[] {(byte) 0xff, 1});

    assertThat(Statuses.toException(Status.ABORTED, trailers).derived()).isFalse();
  }

  @Test
  void status_longText_isCutBetweenCharacters() {
    String text = "x" + "é".repeat(3000);

    String cut = there(new TributaryException(ErrorCode.INTERNAL, text)).getMessage();

    assertThat(cut).endsWith("é ... [truncated]");
    assertThat(cut.replace(" ... [truncated]", "").getBytes(StandardCharsets.UTF_8))
        .hasSize(Statuses.LONGEST_MESSAGE - 1);
  }

  @Test
  void status_textAtTheLimit_isWhole() {
    String text = "x".repeat(Statuses.LONGEST_MESSAGE);

    assertThat(there(new TributaryException(ErrorCode.INTERNAL, text)).getMessage())
        .isEqualTo(text);
  }

  /** What gRPC says of a call that it was about to write when the connection broke. */
  @Test
  void toException_channelClosed_isUnavailable() {
    Status closed =
        Status.UNKNOWN.withDescription("channel closed").withCause(new ClosedChannelException());

    assertThat(Statuses.toException(closed, new Metadata()).code())
        .isEqualTo(ErrorCode.UNAVAILABLE);
  }

  @Test
  void toException_streamRemoved_isUnavailable() {
    Status removed = Status.UNKNOWN.withDescription("Stream removed");

    assertThat(Statuses.toException(removed, new Metadata()).code())
        .isEqualTo(ErrorCode.UNAVAILABLE);
  }

  @Test
  void toException_wrapped_isUnwrapped() {
    TributaryException inner = TributaryException.notFound("node 'x'");

    assertThat(Statuses.toException(new CompletionException(inner))).isSameAs(inner);
  }

  @Test
  void toException_foreign_isInternalAndNamesIt() {
    TributaryException back = Statuses.toException(new IllegalStateException("odd"));

    assertThat(back.code()).isEqualTo(ErrorCode.INTERNAL);
    assertThat(back).hasMessageContaining("IllegalStateException: odd");
  }

  @Test
  void toException_unknownNumberInABody_isUnknown() {
    assertThat(Statuses.toException(20, "?").code()).isEqualTo(ErrorCode.UNKNOWN);
    assertThat(Statuses.toException(-1, "?").code()).isEqualTo(ErrorCode.UNKNOWN);
  }

  private static TributaryException there(TributaryException error) {
    return Statuses.toException(Statuses.toStatus(error), Statuses.trailers(error));
  }
}
