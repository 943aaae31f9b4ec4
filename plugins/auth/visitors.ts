import { z } from "zod";
import { engineFailureFields, type Logger, type RequestState } from "#kernel";
import type { Renewal, Session } from "../session/contract.js";
import type { User, UsersService, PublicUser } from "../users/contract.js";
import type { SiteUser } from "./contract.js";

const linked = z.object({ provider: z.string(), providerId: z.string(), linkedAt: z.number() });
const storedUser: z.ZodType<User> = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string().optional(),
  avatarUrl: z.string().optional(),
  roles: z.array(z.string()),
  provider: z.string(),
  providerId: z.string().optional(),
  linkedProviders: z.array(linked),
  createdAt: z.number(),
  updatedAt: z.number(),
  lastSeenAt: z.number(),
  enabled: z.boolean().optional(),
});

/**
 * The visitor of a session. `renewal`: set when the session must be renewed because the roles
 * changed.
 */
export interface Visitor {
  readonly user: SiteUser;
  readonly renewal: Renewal | null;
}

const rolesData = z.object({
  roles: z.array(z.string()).default([]),
  isLeft: z.boolean().default(false),
});

/** Loads the account behind a session on each request: a deleted account has no effect. */
export class Visitors {
  readonly #users: UsersService;
  readonly #log: Logger;

  constructor(users: UsersService, log: Logger) {
    this.#users = users;
    this.#log = log;
  }

  /** Session data: the roles it was created with, and the account itself if no store keeps it. */
  sessionData(user: User, roles: readonly string[]): Record<string, unknown> {
    const session = { roles: roles.toSorted() };
    return this.#users.isStateless && user.provider !== "local" ? { ...session, user } : session;
  }

  /**
   * Null when the account is deleted or disabled.
   * @throws ERR_USER_STORE_DOWN.
   */
  async of(session: Session): Promise<Visitor | null> {
    const account = await this.#account(session);
    if (account === null || account.user.enabled === false) return null;
    const { user, roles } = account;
    this.#touch(user);
    const { roles: storedRoles, isLeft } = sessionRoles(session.data);
    // Concurrent requests with the previous id belong to the same visitor with the same rights: an
    // attacker who has the id could also have requested the new one.
    const isRenewed = isLeft || isSame(roles, storedRoles);
    const renewal = isRenewed ? null : this.#renewal(session, user, roles);
    return { user: toSiteUser(user, roles), renewal };
  }

  #renewal({ data }: Session, user: User, roles: readonly string[]): Renewal {
    const left = { ...data, isLeft: true };
    return { kind: "visitor", data: this.sessionData(user, roles), left };
  }

  async #account({ userId, data }: Session): ReturnType<UsersService["withRoles"]> {
    if (!("user" in data)) return this.#users.withRoles(userId);
    const stored = storedUser.safeParse(data["user"]);
    if (!stored.success) return null;
    return { user: stored.data, roles: await this.#users.rolesOf(stored.data) };
  }

  #touch(user: User): void {
    this.#users.touch(user).catch((error: unknown) => {
      this.#log.warn("auth.touch_failed", { user: user.id, ...engineFailureFields(error) });
    });
  }
}

function sessionRoles(data: Session["data"]): z.infer<typeof rolesData> {
  const parsed = rolesData.safeParse(data);
  return parsed.success ? parsed.data : { roles: [], isLeft: false };
}

/** Compares regardless of order. */
function isSame(roles: readonly string[], others: readonly string[]): boolean {
  return (
    new Set(roles).size === new Set(others).size && roles.every((role) => others.includes(role))
  );
}

/** The internal header that names the current user. */
const HEADER = "x-site-user";
/** Any spelling that a layer behind us could read as this header. */
const SPELLINGS = /^x[-_]site[-_]user$/i;
/** Maximum length; longer values omit name and picture. */
const MAX_LENGTH = 6_000;

/** The parts of a request that carry the current user. */
interface VisitorRequest {
  readonly ctx: { readonly state: RequestState };
  readonly headers: Record<string, string | string[] | undefined>;
  readonly rawHeaders: string[];
}

/** The visitor of a request. */
interface CurrentVisitor {
  readonly user: SiteUser;
  /** The fields of the account that the request header shows. */
  readonly shown: PublicUser;
}

/** Sets the current user in every form; null for an anonymous visitor. */
export function setVisitor(req: VisitorRequest, visitor: CurrentVisitor | null): void {
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
export function dropUserHeader({ headers, rawHeaders }: Omit<VisitorRequest, "ctx">): void {
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
