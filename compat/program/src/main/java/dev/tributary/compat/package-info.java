/** A program that uses what depends on other libraries: messages, gRPC, TLS and oneDNN. */
package dev.tributary.compat;
