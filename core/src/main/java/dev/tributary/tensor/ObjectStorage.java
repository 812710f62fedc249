package dev.tributary.tensor;

/** The elements of a string, resource or variant tensor, which live on the Java heap. */
final class ObjectStorage extends Storage {
  final Object[] elements;

  ObjectStorage(Object[] elements) {
    this.elements = elements;
  }

  @Override
  void free() {}
}
