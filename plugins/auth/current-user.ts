import type { RequestState } from "#kernel";
import type { PublicUser, User } from "../users/contract.js";
import type { SiteUser } from "./contract.js";

/** The internal header (specification: current user). */
const HEADER = "x-site-user";
/** Any spelling that some layer behind us could take for it. */
const SPELLINGS = /^x[-_]site[-_]user$/i;
/** Longest value; what does not fit goes without name and picture. */
const LONGEST = 6_000;

/** The parts of a request that say who asks. */
export interface Asking {
  readonly ctx: { readonly state: RequestState };
  readonly headers: Record<string, string | string[] | undefined>;
  readonly rawHeaders: string[];
}

/** Says who asks, in every form; null for nobody. */
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

/** Takes copies from outside away, wherever Node keeps them. */
export function dropUserHeader({ headers, rawHeaders }: Omit<Asking, "ctx">): void {
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
    const name = rawHeaders[at] ?? "";
    if (!SPELLINGS.test(name)) continue;
    rawHeaders.splice(at, 2);
    delete headers[name.toLowerCase()];
  }
}

/** An account without its password, with the roles that count now. */
export function toSiteUser({ passwordHash: _, ...user }: User, roles: readonly string[]): SiteUser {
  return { ...user, roles };
}

/** JSON in ASCII: a header has no other characters. */
function headerValue(shown: PublicUser): string {
  const value = toAscii(shown);
  return value.length <= LONGEST ? value : toAscii({ ...shown, name: null, avatarUrl: null });
}

function toAscii(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
