package dev.tributary.interop;

/**
 * Runs one Tributary server for {@link TaskProcess}. The only argument is a ServerDef in base 64.
 */
final class TributaryServerMain {
  private TributaryServerMain() {}

  public static void main(String[] arguments) {
    throw new UnsupportedOperationException(arguments[0]);
  }
}
