package org.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class OnAClusterTest {
  @Test
  void minimum_ofAParabola_isFound() {
    assertTrue(OnACluster.class.getModule().isNamed());
    assertEquals(3f, OnACluster.minimum(), 0.01f);
  }
}
