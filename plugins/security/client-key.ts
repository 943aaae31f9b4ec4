/**
 * The rate-limit key of a client: an IPv4 address, or the /64 of an IPv6 address because one
 * subscriber owns the whole prefix; an IPv4-mapped address counts as IPv4.
 */
export function clientKey(ip: string): string {
  if (ip.startsWith("::ffff:") && ip.includes(".")) return ip.slice("::ffff:".length);
  if (!ip.includes(":")) return ip;
  return `${expand(ip).slice(0, 4).join(":")}::/64`;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function expand(ip: string): string[] {
  const [address = ""] = ip.split("%");
  const [head = "", tail] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Math.max(0, 8 - left.length - right.length);
  const groups = tail === undefined ? left : [...left, ...Array<string>(zeros).fill("0"), ...right];
  return groups.map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""));
}
