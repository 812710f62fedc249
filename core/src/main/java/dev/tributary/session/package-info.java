/**
 * Sessions: where a client runs steps of its graph. Entry type: {@link
 * dev.tributary.session.Session}. One kind runs in this process; others are found by their target
 * string. Imports everything else in core.
 */
package dev.tributary.session;
