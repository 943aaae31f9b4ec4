/** Resolves a URL to checked addresses, or rejects it. */
import { lookup, type LookupAddress } from "node:dns";
import { isIP } from "node:net";
import { SiteError } from "#kernel";
import { canParseUrl } from "#lib/urls";
import { addressKind, type AddressKind } from "./address.js";
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
