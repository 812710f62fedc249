/**
 * Authentication of tasks and their callers: certificates and shared secrets. Entry type: {@link
 * dev.tributary.security.ChannelSecurity}. Sessions and servers take it in their options.
 */
package dev.tributary.security;
