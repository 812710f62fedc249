package dev.tributary.train.data;

/** Elements that are kept in memory or in files. */
final class Stored {
  private Stored() {}

  /**
   * @param file the prefix of the files, empty for memory
   */
  static <E> Dataset.Stage<E, E> cache(String file) {
    return (building, input) ->
        building.finish(
            building.op("CacheDataset", input.variant(), building.tf().constant(file)),
            input.spec());
  }
}
