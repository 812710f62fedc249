/** Programs that train with distribution strategies, and one with an all-reduce of its own. */
package dev.tributary.examples.distribution;
