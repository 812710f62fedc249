# Shared by the scripts of this folder: finds Java, builds when a source is newer than the last build, and sets
#   root, java (with the flags that its version needs), classpath, commit.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

fail() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

need() {
  command -v "$1" >/dev/null || fail "$1 is needed: $2"
}

# Sets java, the command with the flags that its version needs, and version, from a JDK's folder; without one, from the PATH.
use_java() {
  java=("${1:+$1/bin/}java")
  need "${java[0]}" "install JDK 17 or newer, or set JAVA_HOME"
  version=$("${java[0]}" -XshowSettings:properties -version 2>&1 | sed -n 's/ *java.specification.version = //p')
  # From JDK 24 on, direct memory access through Unsafe warns unless it is allowed by name.
  if [[ ${version%%.*} -ge 24 ]]; then
    java+=(--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED)
  fi
}
use_java "${JAVA_HOME-}"

build() {
  local made=$root/bench/target/classpath
  if [[ ! -f $made || -n $(find "$root"/pom.xml "$root"/{natives,core,cluster,train,bench}/pom.xml "$root"/{core,cluster,train,bench}/src/main "$root"/bench/src/test -newer "$made" -print -quit) ]]; then
    need mvn "install Maven 3.8 or newer"
    echo "Building..." >&2
    (cd "$root" && mvn -q -B -ntp -pl bench -am -DskipTests package) >&2 || fail "the build failed"
    touch "$made"
  fi
  # Jars only: Java archives no classes from folders.
  classpath=$(echo "$root"/bench/target/tributary-bench-*.jar):$(<"$made")
}

# What is measured: the commit, and whether sources differ from it.
commit=$(git -C "$root" rev-parse --short HEAD 2>/dev/null || echo unknown)
if [[ -n $(git -C "$root" status --porcelain -- '*.java' '*pom.xml' 2>/dev/null) ]]; then
  commit="$commit with changes"
fi
