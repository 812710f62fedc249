/** Where the parts of a step meet: one side sends a value under a key, the other receives it. */
package dev.tributary.internal.rendezvous;
