/**
 * First models, from a line to a cluster that reads numbers: {@link
 * dev.tributary.examples.model.LineFit}, {@link dev.tributary.examples.model.IrisDense}, {@link
 * dev.tributary.examples.model.DigitsConv}, {@link dev.tributary.examples.model.TextModel}, {@link
 * dev.tributary.examples.model.NumberRecognition}.
 */
package dev.tributary.examples.model;
