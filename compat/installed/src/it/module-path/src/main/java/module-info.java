/** A program as a module: its dependencies are modules, too. */
module org.example {
  requires dev.tributary.cluster;
  requires dev.tributary.natives;
  requires dev.tributary.train;

  exports org.example;
}
