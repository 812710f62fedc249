package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.kernel.onednn.OneDnnBackend;
import dev.tributary.internal.kernel.plain.PlainBackend;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.simple.SimpleLogger;

class BackendChoiceTest {
  @Test
  void auto_nativesThere_isOneDnn() {
    assertThat(BackendChoice.AUTO.backend(ParallelFor.INLINE)).isInstanceOf(OneDnnBackend.class);
    assertThat(BackendChoice.ONEDNN.backend(ParallelFor.INLINE)).isInstanceOf(OneDnnBackend.class);
  }

  @Test
  void java_always_isPlain() {
    assertThat(BackendChoice.JAVA.backend(ParallelFor.INLINE)).hasSameClassAs(plain());
  }

  @Test
  void auto_jarsMissing_isPlain() throws Exception {
    try (URLClassLoader withoutOneDnn = withoutOneDnn()) {
      Object backend = backendOf(withoutOneDnn, "AUTO");
      assertThat(backend.getClass().getName()).isEqualTo(PlainBackend.class.getName());
    }
  }

  @Test
  void onednn_jarsMissing_isFailedPrecondition() throws IOException {
    try (URLClassLoader withoutOneDnn = withoutOneDnn()) {
      assertThatThrownBy(() -> backendOf(withoutOneDnn, "ONEDNN"))
          .isInstanceOf(InvocationTargetException.class)
          .cause()
          .hasMessageContaining("oneDNN does not load")
          .hasMessageContaining("bytedeco");
    }
  }

  private static PlainBackend plain() {
    return new PlainBackend(ParallelFor.INLINE);
  }

  private static Object backendOf(ClassLoader loader, String choice) throws Exception {
    Class<?> type = loader.loadClass(BackendChoice.class.getName());
    Class<?> parallel = loader.loadClass(ParallelFor.class.getName());
    Method create = type.getDeclaredMethod("backend", parallel);
    create.setAccessible(true);
    Object inline = parallel.getField("INLINE").get(null);
    return create.invoke(type.getField(choice).get(null), inline);
  }

  /** Our classes once more, beside the logger and nothing else. */
  private static URLClassLoader withoutOneDnn() {
    URL[] places = {place(BackendChoice.class), place(Logger.class), place(SimpleLogger.class)};
    return new URLClassLoader(places, ClassLoader.getPlatformClassLoader());
  }

  private static URL place(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }
}
