package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.badinput.BadCall;
import dev.tributary.optable.OpCall;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The codes with which we refuse wrong calls are stock's. */
@RequiresStockTensorFlow
class StockErrorsTest {
  static List<BadCall> calls() {
    return BadCall.known().stream().filter(bad -> !bad.hasOwnCode()).toList();
  }

  @ParameterizedTest
  @MethodSource("calls")
  void code_ofBadCall_isStocks(BadCall bad) {
    try (OpCall call = bad.call().get()) {
      StockException stock =
          catchThrowableOfType(
              StockException.class,
              () -> StockTensorFlow.runOp(bad.op(), TableDraws.attributes(call), call.inputs()));

      assertThat(stock).as("stock gives a result").isNotNull();
      assertThat(bad.code()).as("%s", stock).isEqualTo(stock.code());
    }
  }
}
