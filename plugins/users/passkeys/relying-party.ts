import { isIP } from "node:net";
import { isLoopbackUrl } from "#kernel/internal";
import type { PasskeyObstacle } from "../contract.js";

/** The site as authenticators know it. */
export interface RelyingParty {
  /** The host name; passkeys belong to it. */
  readonly id: string;
  /** The origin of pages that use passkeys. */
  readonly origin: string;
}

/** The relying party of a site, or why browsers offer no passkeys there. */
export function relyingPartyOf(siteUrl: string): RelyingParty | PasskeyObstacle {
  const { hostname, origin, protocol } = new URL(siteUrl);
  if (isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0) {
    return {
      kind: "address",
      reason: `passkeys belong to a host name, and site.url has the address ${hostname}: set site.url to a name (localhost counts)`,
    };
  }
  if (protocol !== "https:" && !isLoopbackUrl(siteUrl)) {
    return {
      kind: "http",
      reason: `passkeys need https, and site.url is ${origin}: set site.url to https://…`,
    };
  }
  return { id: hostname, origin };
}
