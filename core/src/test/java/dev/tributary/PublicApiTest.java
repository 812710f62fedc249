package dev.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.ops.MathOps;
import dev.tributary.tensor.Tensor;
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

  @Test
  void members_withAnInternalTypeInTheSignature_areNotApi() {
    assertThat(PublicApi.members(Tensor.class))
        .contains("byteSize(): long")
        .noneMatch(member -> member.startsWith("storage()"));
  }

  @Test
  void members_inheritedFromAClassThatIsNotPublic_areApi() {
    assertThat(PublicApi.members(MathOps.class)).anyMatch(member -> member.startsWith("sign("));
  }
}
