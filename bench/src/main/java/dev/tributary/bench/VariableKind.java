package dev.tributary.bench;

/** The two kinds of variables that TensorFlow has; in lower case, as they are on command lines. */
public enum VariableKind {
  resource,
  ref
}
