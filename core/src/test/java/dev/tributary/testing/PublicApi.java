package dev.tributary.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The public API of a module: the public types in the packages that it exports to everybody, with
 * their public and protected members. The module keeps it as a text file, so that every change of
 * it is visible in a diff.
 *
 * <p>A public member whose signature names a type of an {@code internal} package is a hole: on the
 * module path programs see it but cannot use it. It fails the check unless {@link RuntimeMembers}
 * lists it, with the reason why our own packages need it; it is not API then. Members that a public
 * type inherits from one that is not public are API as its own.
 *
 * <p>{@code mvn test -Dtest=PublicApiTest -Dtributary.api.write=true} writes the file.
 */
public final class PublicApi {
  private static final Pattern INTERNAL =
      Pattern.compile("dev\\.tributary\\.([a-z]+\\.)*internal\\.");

  private final Path classes;
  private final Path file;

  private PublicApi(Path classes, Path file) {
    this.classes = classes;
    this.file = file;
  }

  /** The module that is built in the current folder. */
  public static PublicApi ofModule() {
    return new PublicApi(Path.of("target/classes"), Path.of("api.txt"));
  }

  /** Fails if the API is not the one in the module's file. */
  public void check() throws Exception {
    List<String> lines = lines();
    if (Boolean.getBoolean("tributary.api.write")) {
      Files.write(file, lines);
    }
    assertThat(lines)
        .as(
            "the public API and %s differ; if that is meant, run the test with"
                + " -Dtributary.api.write=true",
            file)
        .containsExactlyElementsOf(Files.readAllLines(file));
  }

  /** Fails if a public member names an internal type and is not on the list of those that may. */
  public void checkInternalTypes() throws Exception {
    Set<String> found = new TreeSet<>();
    Set<String> listed = new TreeSet<>();
    for (Class<?> type : types()) {
      visible(type)
          .filter(member -> namesInternalType(describe(member)))
          .forEach(member -> found.add(key(type, member)));
      RuntimeMembers.REASONS.keySet().stream()
          .filter(key -> key.startsWith(type.getName() + "#"))
          .forEach(listed::add);
    }
    assertThat(found)
        .as(
            "public members that name internal types: give them API types, or make them"
                + " unreachable; only what our own packages need is listed in RuntimeMembers, with"
                + " a reason")
        .isEqualTo(listed);
  }

  private List<String> lines() throws Exception {
    List<Class<?>> types = types();
    List<String> lines = new ArrayList<>();
    lines.add(types.stream().filter(type -> !type.isMemberClass()).count() + " top-level types");
    for (Class<?> type : types) {
      lines.add(describe(type));
      members(type).forEach(member -> lines.add("  " + member));
    }
    return lines;
  }

  /** The members of a type that are API, sorted. */
  public static List<String> members(Class<?> type) {
    return visible(type)
        .map(PublicApi::describe)
        .filter(signature -> !namesInternalType(signature))
        .sorted()
        .toList();
  }

  private static Stream<AccessibleObject> visible(Class<?> type) {
    Stream<AccessibleObject> inherited =
        hiddenSuperclasses(type).stream().flatMap(PublicApi::methodsAndFields);
    return Stream.<Stream<? extends AccessibleObject>>of(
            Arrays.stream(type.getDeclaredConstructors()), methodsAndFields(type), inherited)
        .<AccessibleObject>flatMap(members -> members)
        .filter(PublicApi::isVisible);
  }

  static boolean namesInternalType(String signature) {
    return INTERNAL.matcher(signature).find();
  }

  private static String key(Class<?> type, AccessibleObject member) {
    String name = member instanceof Constructor<?> ? "new" : ((Member) member).getName();
    return type.getName() + "#" + name;
  }

  private static Stream<AccessibleObject> methodsAndFields(Class<?> type) {
    return Stream.of(type.getDeclaredMethods(), type.getDeclaredFields()).flatMap(Arrays::stream);
  }

  /** The superclasses up to the first that programs can name. */
  private static List<Class<?>> hiddenSuperclasses(Class<?> type) {
    return Stream.<Class<?>>iterate(type.getSuperclass(), Objects::nonNull, Class::getSuperclass)
        .takeWhile(superclass -> !isVisible(superclass.getModifiers()))
        .toList();
  }

  private List<Class<?>> types() throws Exception {
    ModuleDescriptor module = ModuleFinder.of(classes).findAll().iterator().next().descriptor();
    List<Class<?>> types = new ArrayList<>();
    for (ModuleDescriptor.Exports exports : module.exports()) {
      if (!exports.isQualified()) {
        addTypes(exports.source(), types);
      }
    }
    types.sort(Comparator.comparing(Class::getName));
    return types;
  }

  private void addTypes(String packageName, List<Class<?>> types)
      throws IOException, ClassNotFoundException {
    try (Stream<Path> files = Files.list(classes.resolve(packageName.replace('.', '/')))) {
      for (Path path : files.toList()) {
        String name = path.getFileName().toString();
        if (name.endsWith(".class") && !name.equals("package-info.class")) {
          Class<?> type =
              Class.forName(
                  packageName + "." + name.substring(0, name.length() - ".class".length()),
                  false,
                  PublicApi.class.getClassLoader());
          if (isReachable(type)) {
            types.add(type);
          }
        }
      }
    }
  }

  private static boolean isReachable(Class<?> type) {
    if (type.isAnonymousClass() || type.isLocalClass() || !isVisible(type.getModifiers())) {
      return false;
    }
    return type.getEnclosingClass() == null || isReachable(type.getEnclosingClass());
  }

  private static boolean isVisible(AccessibleObject object) {
    Member member = (Member) object;
    return isVisible(member.getModifiers()) && !member.isSynthetic();
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static String describe(Class<?> type) {
    String kind =
        type.isRecord()
            ? "record"
            : type.isEnum() ? "enum" : type.isInterface() ? "interface" : "class";
    List<Class<?>> hidden = hiddenSuperclasses(type);
    Class<?> lowest = hidden.isEmpty() ? type : hidden.get(hidden.size() - 1);
    String supers =
        Stream.concat(Stream.ofNullable(lowest.getGenericSuperclass()), superInterfaces(type))
            .map(Type::getTypeName)
            .filter(name -> !name.startsWith("java.lang.Object"))
            .filter(
                name -> !name.startsWith("java.lang.Record") && !name.startsWith("java.lang.Enum"))
            .collect(Collectors.joining(", "));
    return kind + " " + type.getName() + (supers.isEmpty() ? "" : " : " + supers);
  }

  private static Stream<Type> superInterfaces(Class<?> type) {
    return Arrays.stream(type.getGenericInterfaces());
  }

  private static String describe(AccessibleObject member) {
    if (member instanceof Field field) {
      return prefix(field) + field.getName() + ": " + field.getGenericType().getTypeName();
    }
    Executable executable = (Executable) member;
    String parameters =
        Arrays.stream(executable.getGenericParameterTypes())
            .map(Type::getTypeName)
            .collect(Collectors.joining(", ", "(", ")"));
    return executable instanceof Constructor<?>
        ? "new" + parameters
        : prefix(executable)
            + executable.getName()
            + parameters
            + ": "
            + ((Method) executable).getGenericReturnType().getTypeName();
  }

  private static String prefix(Member member) {
    return Modifier.isStatic(member.getModifiers()) ? "static " : "";
  }
}
