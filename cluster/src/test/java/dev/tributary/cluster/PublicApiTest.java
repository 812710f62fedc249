package dev.tributary.cluster;

import dev.tributary.testing.PublicApi;
import org.junit.jupiter.api.Test;

/** The public API of this module, which {@code api.txt} lists. */
class PublicApiTest {
  @Test
  void api_ofThisModule_isTheOneInItsFile() throws Exception {
    PublicApi.ofModule().check();
  }

  @Test
  void members_withAnInternalTypeInTheSignature_areThoseThatOurPackagesNeed() throws Exception {
    PublicApi.ofModule().checkInternalTypes();
  }
}
