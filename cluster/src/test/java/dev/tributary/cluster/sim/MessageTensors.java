package dev.tributary.cluster.sim;

import dev.tributary.cluster.internal.protocol.KeyedTensor;
import dev.tributary.cluster.internal.protocol.NamedTensor;
import dev.tributary.cluster.internal.protocol.PushTensorRequest;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RunCallableRequest;
import dev.tributary.cluster.internal.protocol.RunCallableResponse;
import dev.tributary.cluster.internal.protocol.RunGraphRequest;
import dev.tributary.cluster.internal.protocol.RunGraphResponse;
import dev.tributary.cluster.internal.protocol.RunStepRequest;
import dev.tributary.cluster.internal.protocol.RunStepResponse;
import dev.tributary.tensor.Tensor;
import java.util.List;

/**
 * The tensors in messages, of which each side of a call has its own reference. As in the runtime,
 * they are {@linkplain dev.tributary.internal.tensor.SharedTensors shared} ones.
 */
final class MessageTensors {
  private MessageTensors() {}

  static void retain(Object[] arguments) {
    for (Object argument : arguments) {
      of(argument).forEach(Tensor::retain);
    }
  }

  static void release(Object[] arguments) {
    for (Object argument : arguments) {
      release(argument);
    }
  }

  static void release(Object message) {
    of(message).forEach(Tensor::close);
  }

  private static List<Tensor> of(Object message) {
    if (message instanceof RunGraphRequest request) {
      return request.send().stream().map(KeyedTensor::tensor).toList();
    } else if (message instanceof RunGraphResponse response) {
      return response.received().stream().map(KeyedTensor::tensor).toList();
    } else if (message instanceof RunStepRequest request) {
      return tensors(request.feeds());
    } else if (message instanceof RunStepResponse response) {
      return tensors(response.tensors());
    } else if (message instanceof RunCallableRequest request) {
      return request.feeds();
    } else if (message instanceof RunCallableResponse response) {
      return response.fetches();
    } else if (message instanceof PushTensorRequest request) {
      return request.value().stream().toList();
    } else if (message instanceof ReceivedTensor received) {
      return received.value().stream().toList();
    }
    return List.of();
  }

  private static List<Tensor> tensors(List<NamedTensor> named) {
    return named.stream().map(NamedTensor::tensor).toList();
  }
}
