import type { User, UserChange, UserStore } from "../contract.js";

/** How accounts with a password of their own, those of the admin panel, are made. */
const LOCAL_PROVIDER = "local";

/**
 * Keeps no visitor: the record goes into the session of whoever logs in. Accounts with a local
 * password (the admin panel's) have to be somewhere and are kept by another store.
 */
export class SessionUserStore implements UserStore {
  readonly isStateless = true;
  readonly #kept: UserStore;

  constructor(kept: UserStore) {
    this.#kept = kept;
  }

  async create(user: User): Promise<User> {
    return user.provider === LOCAL_PROVIDER ? this.#kept.create(user) : user;
  }

  get(id: string): Promise<User | null> {
    return this.#kept.get(id);
  }

  findByEmail(email: string): Promise<User | null> {
    return this.#kept.findByEmail(email);
  }

  findByUsername(username: string): Promise<User | null> {
    return this.#kept.findByUsername(username);
  }

  findByIdentity(provider: string, providerId: string): Promise<User | null> {
    return this.#kept.findByIdentity(provider, providerId);
  }

  update(id: string, change: UserChange): Promise<User | null> {
    return this.#kept.update(id, change);
  }

  delete(id: string): Promise<User | null> {
    return this.#kept.delete(id);
  }

  list(range: { limit: number; offset: number }): Promise<readonly User[]> {
    return this.#kept.list(range);
  }

  count(): Promise<number> {
    return this.#kept.count();
  }
}
