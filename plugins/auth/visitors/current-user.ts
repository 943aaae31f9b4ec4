import type { RequestState } from "#kernel";
import type { PublicUser, User } from "../../users/contract.js";
import type { SiteUser } from "../contract.js";

/** The internal header that names the current user. */
const HEADER = "x-site-user";
/** Any spelling that a layer behind us could read as this header. */
const SPELLINGS = /^x[-_]site[-_]user$/i;
/** Maximum length; longer values omit name and picture. */
const MAX_LENGTH = 6_000;

/** The parts of a request that carry the current user. */
export interface Asking {
  readonly ctx: { readonly state: RequestState };
  readonly headers: Record<string, string | string[] | undefined>;
  readonly rawHeaders: string[];
}

/** Sets the current user in every form; null for an anonymous visitor. */
export function setVisitor(
  req: Asking,
  visitor: { user: SiteUser; shown: PublicUser } | null,
): void {
  const { state } = req.ctx;
  if (visitor === null) {
    state.siteUser = null;
    return;
  }
  const { user, shown } = visitor;
  state.siteUser = user;
  state.viewer = { roles: user.roles, seesUnpublished: state.viewer?.seesUnpublished ?? false };
  const value = headerValue(shown);
  req.headers[HEADER] = value;
  req.rawHeaders.push(HEADER, value);
}

/** Removes copies sent by the client, in `headers` and `rawHeaders`. */
export function dropUserHeader({ headers, rawHeaders }: Omit<Asking, "ctx">): void {
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
    const name = rawHeaders[at] ?? "";
    if (!SPELLINGS.test(name)) continue;
    rawHeaders.splice(at, 2);
    delete headers[name.toLowerCase()];
  }
}

/** An account without its password hash, with its current roles. */
export function toSiteUser({ passwordHash: _, ...user }: User, roles: readonly string[]): SiteUser {
  return { ...user, roles };
}

/** ASCII-only JSON: header values allow no other characters. */
function headerValue(shown: PublicUser): string {
  const value = toAscii(shown);
  return value.length <= MAX_LENGTH ? value : toAscii({ ...shown, name: null, avatarUrl: null });
}

function toAscii(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
