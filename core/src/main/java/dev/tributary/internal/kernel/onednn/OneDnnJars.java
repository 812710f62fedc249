package dev.tributary.internal.kernel.onednn;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.bytedeco.javacpp.Loader;

/**
 * The six jars that oneDNN consists of: JavaCPP, oneDNN and OpenCL, each with classes and with
 * native code for the platform. Finds out which are missing or do not fit together before any of
 * them is loaded, since a failed load names none of them.
 */
public final class OneDnnJars {
  private static final String GROUP = "org.bytedeco";
  private static final ClassLoader LOADER = OneDnnJars.class.getClassLoader();

  /** One artifact: a class of its classes, and a library of its native code. */
  private record Artifact(String name, String type, String library) {
    boolean hasClasses() {
      return LOADER.getResource(type + ".class") != null;
    }

    boolean hasNatives(String platform) {
      final String file = System.mapLibraryName(library);
      return LOADER.getResource("org/bytedeco/" + name + "/" + platform + "/" + file) != null;
    }

    /** The versions of its jars, as Maven notes them there. */
    Set<String> versions() {
      final Set<String> versions = new TreeSet<>();
      try {
        final String notes = "META-INF/maven/" + GROUP + "/" + name + "/pom.properties";
        for (URL place : Collections.list(LOADER.getResources(notes))) {
          try (InputStream content = place.openStream()) {
            final Properties properties = new Properties();
            properties.load(content);
            versions.add(properties.getProperty("version"));
          }
        }
      } catch (IOException e) {
        // A jar that cannot be read shows when it is loaded.
        return Set.of();
      }
      return versions;
    }

    @Override
    public String toString() {
      return GROUP + ":" + name;
    }
  }

  private static final Artifact JAVACPP =
      new Artifact("javacpp", "org/bytedeco/javacpp/Loader", "jnijavacpp");
  private static final Artifact DNNL =
      new Artifact("dnnl", "org/bytedeco/dnnl/global/dnnl", "jnidnnl");
  private static final Artifact OPENCL =
      new Artifact("opencl", "org/bytedeco/opencl/global/OpenCL", "jniOpenCL");
  private static final List<Artifact> ALL = List.of(JAVACPP, DNNL, OPENCL);

  private OneDnnJars() {}

  /** Returns whether any jar of oneDNN itself is there, so that a missing one is a mistake. */
  public static boolean areWanted() {
    return DNNL.hasClasses() || !DNNL.versions().isEmpty();
  }

  /** The jars that are missing, or else those whose versions do not fit; empty if all is well. */
  public static Optional<String> problem() {
    final List<String> missing = missing();
    return missing.isEmpty()
        ? mismatch()
        : Optional.of("missing on the class path or module path: " + String.join(", ", missing));
  }

  private static List<String> missing() {
    final List<String> missing = new ArrayList<>();
    for (Artifact artifact : ALL) {
      if (!artifact.hasClasses()) {
        missing.add(artifact.toString());
      }
    }
    if (JAVACPP.hasClasses()) {
      final String platform = Loader.getPlatform();
      for (Artifact artifact : ALL) {
        if (!artifact.hasNatives(platform)) {
          missing.add(artifact + ":" + platform);
        }
      }
    }
    return missing;
  }

  /** All jars carry the version of JavaCPP that they were made for. */
  private static Optional<String> mismatch() {
    final Set<String> fitting = JAVACPP.versions();
    final List<String> found = new ArrayList<>();
    boolean fits = fitting.size() <= 1;
    for (Artifact artifact : ALL) {
      final Set<String> versions = artifact.versions();
      found.add(artifact + " " + String.join(" and ", versions));
      fits &= versions.size() <= 1;
      for (String version : versions) {
        fits &= fitting.stream().allMatch(wanted -> ("-" + version).endsWith("-" + wanted));
      }
    }
    return fits
        ? Optional.empty()
        : Optional.of("versions that do not fit together: " + String.join(", ", found));
  }
}
