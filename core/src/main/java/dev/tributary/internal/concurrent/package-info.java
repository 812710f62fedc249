/**
 * Waiting and its end: {@link dev.tributary.internal.concurrent.Cancellation}, {@link
 * dev.tributary.internal.concurrent.CallScope}, {@link dev.tributary.internal.concurrent.Pending},
 * {@link dev.tributary.internal.concurrent.UseCount}, and {@link
 * dev.tributary.internal.concurrent.TimeText}, the length of a wait in messages. Imports errors and
 * time only; every package may import it.
 */
package dev.tributary.internal.concurrent;
