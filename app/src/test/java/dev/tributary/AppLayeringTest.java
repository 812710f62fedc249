package dev.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The packages of the command: described, and without a circle among them. */
class AppLayeringTest {
  @Test
  void packages_allSources_areDescribedAndHaveNoCycle() throws IOException {
    Sources sources = Sources.under(Path.of("src/main/java"));

    assertThat(sources.packages()).contains("app", "app.launch");
    assertThat(sources.undescribed()).isEmpty();
    assertThat(sources.cycle()).isEmpty();
  }
}
