import { SiteError } from "sitewright";
import type { User, UserStore } from "sitewright/plugins";

/** A user store in memory: all accounts are lost when the process ends. */
export function createEngine(): UserStore {
  const users = new Map<string, User>();
  const find = (test: (user: User) => boolean): User | null =>
    [...users.values()].find(test) ?? null;
  const keep = (user: User): User => {
    for (const other of users.values()) {
      const kind = other.id === user.id ? null : sharedKey(other, user);
      if (kind !== null) {
        const message = `another account has this ${kind}`;
        throw new SiteError(`ERR_USER_${kind.toUpperCase()}_TAKEN`, message, { status: 409 });
      }
    }
    users.set(user.id, user);
    return user;
  };
  return {
    create: async (user) => keep(user),
    get: async (id) => users.get(id) ?? null,
    findByEmail: async (email) => find((user) => same(user.email, email)),
    findByUsername: async (username) => find((user) => same(user.username, username)),
    findByIdentity: async (provider, providerId) =>
      find((user) => identities(user).includes(JSON.stringify([provider, providerId]))),
    async update(id, change) {
      const user = users.get(id);
      if (user === undefined) return null;
      const next = change(user);
      return next === user ? user : keep({ ...next, id, createdAt: user.createdAt });
    },
    async delete(id) {
      const user = users.get(id) ?? null;
      users.delete(id);
      return user;
    },
    list: async ({ limit, offset }) =>
      [...users.values()]
        .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
        .slice(offset, offset + limit),
    count: async () => users.size,
  };
}

function same(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.toLowerCase() === other?.toLowerCase();
}

function sharedKey(one: User, other: User): string | null {
  if (same(one.email, other.email)) return "email";
  if (same(one.username, other.username)) return "username";
  const taken = identities(one);
  return identities(other).some((identity) => taken.includes(identity)) ? "identity" : null;
}

function identities({ provider, providerId, linkedProviders }: User): string[] {
  return [{ provider, providerId }, ...linkedProviders]
    .filter((identity) => identity.providerId !== undefined)
    .map((identity) => JSON.stringify([identity.provider, identity.providerId]));
}
