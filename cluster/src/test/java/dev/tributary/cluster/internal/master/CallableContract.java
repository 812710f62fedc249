package dev.tributary.cluster.internal.master;

import static dev.tributary.cluster.internal.master.TestClient.DEFAULTS;
import static dev.tributary.cluster.internal.master.TestClient.await;
import static dev.tributary.cluster.internal.master.TestClient.code;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.protocol.MakeCallableRequest;
import dev.tributary.cluster.internal.protocol.RunCallableRequest;
import dev.tributary.cluster.internal.protocol.RunCallableResponse;
import dev.tributary.error.ErrorCode;
import dev.tributary.tensor.Tensor;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.CallableOptions;
import org.tensorflow.proto.TensorConnection;

/** What a master promises about callables, however it is reached. */
abstract class CallableContract extends MasterFixture {
  @Test
  void callable_feedsAndFetches_keepTheirOrder() {
    sum();
    try (TestClient client = open();
        Tensor two = Tensor.scalar(2f);
        Tensor three = Tensor.scalar(3f)) {
      CallableOptions options =
          CallableOptions.newBuilder()
              .addFeed("b:0")
              .addFeed("a:0")
              .addFetch("sum:0")
              .addFetch("a2:0")
              .addFetch("sum:0")
              .build();
      long callable = make(client, options);

      RunCallableResponse response =
          await(
              master.runCallable(
                  new RunCallableRequest(client.handle, callable, List.of(two, three), 0),
                  DEFAULTS));

      assertThat(response.fetches()).extracting(Tensor::floatValue).containsExactly(5f, 6f, 5f);
      response.fetches().forEach(Tensor::close);
      assertThat(callable).isEqualTo(0);
      assertThat(make(client, options)).isEqualTo(1);
    }
  }

  @Test
  void callable_connection_feedsOneTensorFromAnother() {
    sum();
    try (TestClient client = open();
        Tensor two = Tensor.scalar(2f)) {
      long callable =
          make(
              client,
              CallableOptions.newBuilder()
                  .addFeed("a:0")
                  .addFetch("sum:0")
                  .addTensorConnection(
                      TensorConnection.newBuilder().setFromTensor("a2:0").setToTensor("b:0"))
                  .build());

      RunCallableResponse response =
          await(
              master.runCallable(
                  new RunCallableRequest(client.handle, callable, List.of(two), 0), DEFAULTS));

      try (Tensor sum = response.fetches().get(0)) {
        assertThat(sum.floatValue()).isEqualTo(6);
      }
    }
  }

  @Test
  void callable_badHandlesAndOptions_haveTheirCodes() {
    sum();
    try (TestClient client = open()) {
      CallableOptions options = CallableOptions.newBuilder().addTarget("three").build();
      long callable = make(client, options);
      await(master.releaseCallable(client.handle, callable, DEFAULTS));

      for (long handle : new long[] {callable, 9, -1}) {
        assertThat(
                code(
                    master.runCallable(
                        new RunCallableRequest(client.handle, handle, List.of(), 0), DEFAULTS)))
            .isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(code(master.releaseCallable(client.handle, handle, DEFAULTS)))
            .isEqualTo(ErrorCode.INVALID_ARGUMENT);
      }
      CallableOptions onDevice = options.toBuilder().putFetchDevices("sum:0", "/cpu:0").build();
      assertThat(
              code(
                  master.makeCallable(
                      new MakeCallableRequest(client.handle, onDevice, 0), DEFAULTS)))
          .isEqualTo(ErrorCode.UNIMPLEMENTED);
    }
  }

  private long make(TestClient client, CallableOptions options) {
    return await(master.makeCallable(new MakeCallableRequest(client.handle, options, 0), DEFAULTS));
  }
}
