package dev.tributary.cluster.master;

import dev.tributary.cluster.protocol.MasterInterface;
import org.junit.jupiter.api.Nested;

/** A master that is called without a wire. */
class InProcessMasterTest {
  @Nested
  class Steps extends MasterStepsContract {
    @Override
    MasterInterface connect(Master local) {
      return local;
    }
  }

  @Nested
  class Sessions extends MasterSessionsContract {
    @Override
    MasterInterface connect(Master local) {
      return local;
    }
  }

  @Nested
  class Extension extends MasterExtensionContract {
    @Override
    MasterInterface connect(Master local) {
      return local;
    }
  }

  @Nested
  class PartialRuns extends PartialRunContract {
    @Override
    MasterInterface connect(Master local) {
      return local;
    }
  }

  @Nested
  class Callables extends CallableContract {
    @Override
    MasterInterface connect(Master local) {
      return local;
    }
  }
}
