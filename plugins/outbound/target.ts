/** Resolves a URL to checked addresses, or rejects it. */
import { lookup, type LookupAddress } from "node:dns";
import { isIP, BlockList, isIPv4 } from "node:net";
import { SiteError } from "#kernel";
import { canParseUrl } from "#lib/urls";
import type { OutboundPolicy } from "./contract.js";
import type { OutboundErrorCode } from "./errors.js";

/** Resolves a name to all its addresses. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;
/** Rules for a target. */
export interface TargetRules {
  policy: OutboundPolicy;
  denyPrivate: boolean;
  resolve: Resolve;
  /** True for a host that must be public, whatever the policy. */
  isGuarded(host: string): Promise<boolean>;
}
/** An allowed target. */
export interface Target {
  url: URL;
  addresses: readonly LookupAddress[];
}

const METADATA_NAMES: ReadonlySet<string> = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "instance-data",
  "instance-data.ec2.internal",
]);

/** An error of this plugin. */
export function outboundError(code: OutboundErrorCode, message: string): SiteError {
  return new SiteError(code, message);
}

/** The system's resolver, with all addresses of the name. */
export const systemResolve: Resolve = (name) =>
  new Promise((resolve, reject) => {
    lookup(name, { all: true }, (error, addresses) =>
      error ? reject(networkError(name, error)) : resolve(addresses),
    );
  });

/** Checks the scheme, credentials and every address of the host. */
export async function findTarget(text: string, rules: TargetRules): Promise<Target> {
  const url = parseUrl(text);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const name = hostName(url);
  if (METADATA_NAMES.has(name)) throw refused(name, "never");
  const addresses =
    isIP(host) === 0 ? await rules.resolve(name) : [{ address: host, family: isIP(host) }];
  if (addresses.length === 0)
    throw outboundError("ERR_OUTBOUND_NETWORK", `${shown(name)} has no address`);
  for (const { address } of addresses) {
    const kind = addressKind(address);
    const isRefused =
      kind === "private" && (refusesPrivate(rules) || (await rules.isGuarded(name)));
    if (kind === "never" || isRefused) throw refused(name, kind);
  }
  return { url, addresses };
}

/** The host of a URL, without brackets and final dot. */
export function hostName({ hostname }: URL): string {
  return hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
}

function refusesPrivate({ policy, denyPrivate }: TargetRules): boolean {
  return policy === "strict" || (policy === "operator" && denyPrivate);
}

function parseUrl(text: string): URL {
  if (!canParseUrl(text)) throw outboundError("ERR_OUTBOUND_URL", "the address is not a URL");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    const message = `scheme ${JSON.stringify(url.protocol)} is not allowed, use http or https`;
    throw outboundError("ERR_OUTBOUND_URL", message);
  }
  if (url.username !== "" || url.password !== "") {
    throw outboundError("ERR_OUTBOUND_URL", "the URL contains credentials, send them in a header");
  }
  return url;
}

function refused(name: string, kind: AddressKind): SiteError {
  const what = kind === "never" ? "link-local, metadata or reserved" : "private or loopback";
  return outboundError("ERR_OUTBOUND_ADDRESS", `host ${shown(name)} resolves to a ${what} address`);
}

/** A network error, with no part of the URL but the host. */
export function networkError(host: string, error: NodeJS.ErrnoException): SiteError {
  const reason = error.code ?? "the connection was closed";
  return outboundError("ERR_OUTBOUND_NETWORK", `host ${shown(host)} cannot be reached: ${reason}`);
}

function shown(host: string): string {
  return JSON.stringify(host.slice(0, 120));
}

/**
 * `never`: link-local, metadata, unspecified, multicast, reserved. `private`: not on the internet.
 */
type AddressKind = "public" | "private" | "never";

type Range = readonly [network: string, prefix: number];

const NEVER: readonly Range[] = [
  ["0.0.0.0", 8],
  ["169.254.0.0", 16],
  ["100.100.100.200", 32], // metadata
  ["192.0.0.192", 32], // metadata
  ["168.63.129.16", 32], // metadata
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  ["::", 128],
  ["fe80::", 10],
  ["ff00::", 8],
  ["fd00:ec2::254", 128], // metadata
  ["fd20:ce::254", 128], // metadata
];
const PRIVATE: readonly Range[] = [
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["::1", 128],
  ["100::", 64],
  ["2001:db8::", 32],
  ["3fff::", 20],
  ["5f00::", 16],
  ["fc00::", 7],
  ["fec0::", 10],
];
const never = blockList(NEVER);
const reserved = blockList(PRIVATE);

/**
 * The kind of a literal address; for an IPv6 address that embeds an IPv4 address, the stricter kind
 * of both.
 */
export function addressKind(address: string): AddressKind {
  const bare = address.replace(/%.*$/s, "");
  if (isIP(bare) === 0) return "never";
  if (isIPv4(bare)) return classify(bare, "ipv4");
  const carried = carriedIPv4(splitGroups(bare));
  if (carried === null) return classify(bare, "ipv6");
  const kinds = [classify(bare, "ipv6"), classify(carried, "ipv4")];
  return kinds.includes("never") ? "never" : kinds.includes("private") ? "private" : "public";
}

function classify(address: string, family: "ipv4" | "ipv6"): AddressKind {
  if (never.check(address, family)) return "never";
  return reserved.check(address, family) ? "private" : "public";
}

function blockList(ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) {
    list.addSubnet(network, prefix, isIPv4(network) ? "ipv4" : "ipv6");
  }
  return list;
}

/** The eight groups of an IPv6 address. */
function splitGroups(address: string): number[] {
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = "", tail] = canonical.split("::");
  const left = parseGroups(head);
  if (tail === undefined) return left;
  const right = parseGroups(tail);
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

function parseGroups(text: string): number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}

/** The IPv4 address embedded in a translation or tunnel address. */
function carriedIPv4(groups: readonly number[]): string | null {
  if (at(groups, 0) === 0x2002) return dotted(at(groups, 1), at(groups, 2)); // 6to4, RFC 3056
  // Teredo, RFC 4380
  if (startsWith(groups, [0x2001, 0])) return dotted(~at(groups, 6), ~at(groups, 7));
  const isCarrier = [isTranslated, isMapped, isIsatap].some((matches) => matches(groups));
  return isCarrier ? dotted(at(groups, 6), at(groups, 7)) : null;
}

/** NAT64 (RFC 6052, RFC 8215) and SIIT (RFC 2765). */
function isTranslated(groups: readonly number[]): boolean {
  return startsWith(groups, [0x64, 0xff9b]) || startsWith(groups, [0, 0, 0, 0, 0xffff, 0]);
}

/** IPv4-mapped and IPv4-compatible, RFC 4291. */
function isMapped(groups: readonly number[]): boolean {
  if (!startsWith(groups, [0, 0, 0, 0, 0])) return false;
  return at(groups, 5) === 0xffff || (at(groups, 5) === 0 && at(groups, 6) !== 0);
}

/** ISATAP, RFC 5214. */
function isIsatap(groups: readonly number[]): boolean {
  return (at(groups, 4) & 0xfdff) === 0 && at(groups, 5) === 0x5efe;
}

function startsWith(groups: readonly number[], start: readonly number[]): boolean {
  return start.every((group, index) => group === groups[index]);
}

function at(groups: readonly number[], index: number): number {
  return groups[index] ?? 0;
}

function dotted(high: number, low: number): string {
  return [high >> 8, high, low >> 8, low].map((byte) => byte & 0xff).join(".");
}
