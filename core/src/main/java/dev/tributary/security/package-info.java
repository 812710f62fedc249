/**
 * How a task and its callers know each other: certificates and shared secrets. Entry type: {@link
 * dev.tributary.security.ChannelSecurity}. Sessions and servers take it in their options.
 */
package dev.tributary.security;
