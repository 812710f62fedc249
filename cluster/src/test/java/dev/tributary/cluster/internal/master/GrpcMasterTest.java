package dev.tributary.cluster.internal.master;

import org.junit.jupiter.api.Nested;

/** A master behind gRPC keeps the same contracts. */
class GrpcMasterTest {
  @Nested
  class Steps extends MasterStepsContract {
    @Override
    MasterConnector connector() {
      return MasterConnector.grpc();
    }
  }

  @Nested
  class Sessions extends MasterSessionsContract {
    @Override
    MasterConnector connector() {
      return MasterConnector.grpc();
    }
  }

  @Nested
  class Extension extends MasterExtensionContract {
    @Override
    MasterConnector connector() {
      return MasterConnector.grpc();
    }
  }

  @Nested
  class PartialRuns extends PartialRunContract {
    @Override
    MasterConnector connector() {
      return MasterConnector.grpc();
    }
  }

  @Nested
  class Callables extends CallableContract {
    @Override
    MasterConnector connector() {
      return MasterConnector.grpc();
    }
  }
}
