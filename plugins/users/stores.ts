import { errorCode, isDiskFull } from "#lib/errors";
import {
  closeCall,
  type EngineCall,
  type EngineCalls,
  expectEach,
  expectFields,
  expectKind,
  expectMethods,
  expectNullable,
  expectOptional,
  SiteError,
  type SiteSettings,
  type ValueCheck,
} from "#kernel";
import type { AuthzStore, UserStore, UserStoreCreate } from "./contract.js";

/** How long a request waits for a store of a plugin, in ms. */
const LIMIT_MS = 5_000;

const texts = expectEach(expectKind("string"));
const user = expectFields({
  id: ["string"],
  email: ["string"],
  name: ["string", "nothing"],
  avatarUrl: ["string", "nothing"],
  username: ["string", "nothing"],
  passwordHash: ["string", "nothing"],
  roles: texts,
  provider: ["string"],
  providerId: ["string", "nothing"],
  linkedProviders: expectEach(
    expectFields({ provider: ["string"], providerId: ["string"], linkedAt: ["number"] }),
  ),
  createdAt: ["number"],
  updatedAt: ["number"],
  lastSeenAt: ["number"],
  paymentCustomerId: ["string", "nothing"],
  enabled: ["boolean", "nothing"],
});
const relations = expectFields({
  user: ["string"],
  fingerprint: ["string", "null"],
  tuples: expectEach(
    expectFields({
      user: ["string"],
      relation: ["string"],
      object: ["string"],
      hmac: ["string", "nothing"],
    }),
  ),
  endedAt: ["number", "nothing"],
  endedBy: expectOptional(expectEach(expectFields({ digest: ["string"], at: ["number"] }))),
});
const limited = (result: ValueCheck): EngineCall => ({ result, limitMs: LIMIT_MS });
const maybeUser = limited(expectNullable(user));

const userMethods = expectMethods(
  [
    "create",
    "get",
    "findByEmail",
    "findByUsername",
    "findByIdentity",
    "update",
    "delete",
    "list",
    "count",
  ],
  ["close"],
);
const flags = expectFields({ isStateless: ["boolean", "nothing"] });

/** Checks an engine of the slot `userStore`. */
export const userStoreProblem: ValueCheck = (store) => userMethods(store) ?? flags(store);
/** The calls of the slot `userStore`. */
export const userStoreCalls: EngineCalls<UserStore> = {
  create: limited(user),
  get: maybeUser,
  findByEmail: maybeUser,
  findByUsername: maybeUser,
  findByIdentity: maybeUser,
  update: maybeUser,
  delete: maybeUser,
  list: limited(expectEach(user)),
  count: limited(expectKind("number")),
  close: closeCall,
};

/** Checks an engine of the slot `authzStore`. */
export const authzStoreProblem = expectMethods(["get", "update", "users"], ["close"]);
/** The calls of the slot `authzStore`. */
export const authzStoreCalls: EngineCalls<AuthzStore> = {
  get: limited(expectNullable(relations)),
  update: limited(relations),
  users: limited(texts),
  close: closeCall,
};

/**
 * The stores chosen in the `auth` block. Without it, accounts are files and roles come from the
 * record.
 */
export function storeSettings(auth: SiteSettings["auth"]): UserStoreCreate["settings"] {
  if (auth === undefined) return { userStore: "local", authzStore: null };
  const isOwn = auth.mode === "dune";
  return { userStore: auth.userStore, authzStore: auth.authzStore ?? (isOwn ? "local" : null) };
}

/**
 * Passes a store's own errors on and turns all others into an outage.
 * @throws ERR_USER_STORE_DOWN: 507 for a full disk, else 503.
 */
export async function throughFront<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof SiteError) throw cause;
    throw new SiteError("ERR_USER_STORE_DOWN", "the user store does not respond", {
      status: isDiskFull(errorCode(cause)) ? 507 : 503,
      headers: { "Retry-After": "5" },
      fix: "free disk space, or restore the store; the site retries by itself",
      cause,
    });
  }
}
