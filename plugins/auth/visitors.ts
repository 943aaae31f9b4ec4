import { z } from "zod";
import type { Logger } from "#kernel";
import type { Renewal, Session } from "../session/contract.js";
import type { User, UsersService } from "../users/contract.js";
import type { SiteUser } from "./contract.js";
import { toSiteUser } from "./current-user.js";

const linked = z.object({ provider: z.string(), providerId: z.string(), linkedAt: z.number() });
const keptUser: z.ZodType<User> = z.object({
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

/** Who a session is of; `renewal`: how it has to go on, since it began with other roles. */
export interface Visitor {
  readonly user: SiteUser;
  readonly renewal: Renewal | null;
}

const rolesData = z.object({
  roles: z.array(z.string()).default([]),
  isLeft: z.boolean().default(false),
});

/** The account behind a session, looked up for each request: a deleted one counts no more. */
export class Visitors {
  readonly #users: UsersService;
  readonly #log: Logger;

  constructor(users: UsersService, log: Logger) {
    this.#users = users;
    this.#log = log;
  }

  /** What a session has to carry: the roles it counts for, the account itself when no store keeps it. */
  sessionData(user: User, roles: readonly string[]): Record<string, unknown> {
    const known = { roles: roles.toSorted() };
    return this.#users.isStateless && user.provider !== "local" ? { ...known, user } : known;
  }

  /** Null when the account is gone or switched off. Throws ERR_USER_STORE_DOWN. */
  async of(session: Session): Promise<Visitor | null> {
    const account = await this.#account(session);
    if (account === null || account.user.enabled === false) return null;
    const { user, roles } = account;
    this.#touch(user);
    const { roles: known, isLeft } = sessionRoles(session.data);
    // Requests that were under way with an id that was left are the same visitor's, with the same
    // rights: whoever else holds the id could have had the fresh one by asking first.
    const isRenewed = isLeft || isSame(roles, known);
    const renewal = isRenewed ? null : this.#renewal(session, user, roles);
    return { user: toSiteUser(user, roles), renewal };
  }

  #renewal({ data }: Session, user: User, roles: readonly string[]): Renewal {
    const left = { ...data, isLeft: true };
    return { kind: "visitor", data: this.sessionData(user, roles), left };
  }

  async #account({ userId, data }: Session): ReturnType<UsersService["withRoles"]> {
    if (!("user" in data)) return this.#users.withRoles(userId);
    const kept = keptUser.safeParse(data["user"]);
    if (!kept.success) return null;
    return { user: kept.data, roles: await this.#users.rolesOf(kept.data) };
  }

  #touch(user: User): void {
    this.#users.touch(user).catch((error: unknown) => {
      this.#log.warn("auth.touch_failed", { user: user.id, error: String(error) });
    });
  }
}

function sessionRoles(data: Session["data"]): z.infer<typeof rolesData> {
  const parsed = rolesData.safeParse(data);
  return parsed.success ? parsed.data : { roles: [], isLeft: false };
}

/** Regardless of order. */
function isSame(roles: readonly string[], known: readonly string[]): boolean {
  return new Set(roles).size === new Set(known).size && roles.every((role) => known.includes(role));
}
