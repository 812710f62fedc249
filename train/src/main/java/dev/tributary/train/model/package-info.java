/**
 * Pieces of a model: {@link dev.tributary.train.model.Layer layers}, {@link
 * dev.tributary.train.model.Losses losses}, {@link dev.tributary.train.model.Metrics metrics} and
 * {@link dev.tributary.train.model.Summaries summaries}.
 */
package dev.tributary.train.model;
