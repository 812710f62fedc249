package dev.tributary.internal.kernel.onednn;

import static org.bytedeco.dnnl.global.dnnl.dnnl_cpu;
import static org.bytedeco.dnnl.global.dnnl.dnnl_engine_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_out_of_memory;
import static org.bytedeco.dnnl.global.dnnl.dnnl_success;
import static org.bytedeco.dnnl.global.dnnl.dnnl_unimplemented;
import static org.bytedeco.dnnl.global.dnnl.dnnl_version;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import org.bytedeco.dnnl.dnnl_engine;
import org.bytedeco.dnnl.dnnl_version_t;

/** The loaded native library: its one CPU engine, and its status codes as exceptions. */
final class Library {
  /** Never destroyed: primitives of all backends of the process belong to it. */
  static final dnnl_engine ENGINE = engine();

  private Library() {}

  /** Has this class initialised, which loads the library. */
  static void load() {}

  static String version() {
    final dnnl_version_t version = dnnl_version();
    return version.major() + "." + version.minor() + "." + version.patch();
  }

  /** Throws unless {@code status} is success. */
  static void check(int status, String call) {
    if (status != dnnl_success) {
      final ErrorCode code =
          status == dnnl_unimplemented
              ? ErrorCode.UNIMPLEMENTED
              : status == dnnl_out_of_memory ? ErrorCode.RESOURCE_EXHAUSTED : ErrorCode.INTERNAL;
      throw new TributaryException(code, "oneDNN's " + call + " failed with status " + status);
    }
  }

  private static dnnl_engine engine() {
    OmpThreads.load();
    final dnnl_engine engine = new dnnl_engine();
    check(dnnl_engine_create(engine, dnnl_cpu, 0), "engine creation");
    return engine;
  }
}
