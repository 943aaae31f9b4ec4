import type { SessionRecord, SessionStore } from "sitewright/plugins";

/** A session store in memory: all users are logged out when the process ends. */
export function createEngine(): SessionStore {
  const sessions = new Map<string, SessionRecord>();
  const claims = new Map<string, number>();
  const remove = (test: (record: SessionRecord) => boolean): number => {
    const matching = [...sessions].filter(([, record]) => test(record));
    for (const [id] of matching) sessions.delete(id);
    return matching.length;
  };
  return {
    get: async (id) => sessions.get(id) ?? null,
    async set(id, record) {
      sessions.set(id, structuredClone(record));
    },
    async destroy(id) {
      sessions.delete(id);
    },
    destroyUser: async (userId) => remove((record) => record.userId === userId),
    async claim(key, ttlSeconds) {
      if ((claims.get(key) ?? 0) > Date.now()) return false;
      claims.set(key, Date.now() + ttlSeconds * 1000);
      return true;
    },
    async sweep(now) {
      for (const [key, until] of claims) if (until <= now) claims.delete(key);
      return remove((record) => record.expiresAt <= now);
    },
  };
}
