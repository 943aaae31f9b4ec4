import { isIP } from "node:net";

/**
 * The address of a client without what proxies add to it: a port (`203.0.113.5:4711`, `[2001:db8::1]:443`), quotes
 * (RFC 7239, section 6), and the prefix of IPv4 addresses in IPv6 (`::ffff:`).
 */
export function clientAddress(written: string): string {
  const text = written.trim().replace(/^"(.*)"$/, "$1");
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1];
  const withPort = /^([^:]+):\d{1,5}$/.exec(text)?.[1];
  const address = bracketed ?? (withPort !== undefined && isIP(withPort) === 4 ? withPort : text);
  return /^::ffff:(?=\d+\.)/i.test(address) ? address.slice("::ffff:".length) : address;
}
