package dev.tributary.cluster.internal.master;

import org.junit.jupiter.api.Nested;

/** A master that is called without a wire. */
class InProcessMasterTest {
  @Nested
  class Steps extends MasterStepsContract {
    @Override
    MasterConnector connector() {
      return MasterConnector.inProcess();
    }
  }

  @Nested
  class Sessions extends MasterSessionsContract {
    @Override
    MasterConnector connector() {
      return MasterConnector.inProcess();
    }
  }

  @Nested
  class Extension extends MasterExtensionContract {
    @Override
    MasterConnector connector() {
      return MasterConnector.inProcess();
    }
  }

  @Nested
  class PartialRuns extends PartialRunContract {
    @Override
    MasterConnector connector() {
      return MasterConnector.inProcess();
    }
  }

  @Nested
  class Callables extends CallableContract {
    @Override
    MasterConnector connector() {
      return MasterConnector.inProcess();
    }
  }
}
