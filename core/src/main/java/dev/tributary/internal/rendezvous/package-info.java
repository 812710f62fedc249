/** Values between the parts of a step: one side sends under a key, the other side receives. */
package dev.tributary.internal.rendezvous;
