import type { User, UserChange, UserStore } from "../contract.js";

/** Provider of accounts with a password, for the admin panel. */
const LOCAL_PROVIDER = "local";

/**
 * Stores no visitors: the record lives in the visitor's session. Accounts with a local password
 * (admin panel) go to another store.
 */
export class SessionUserStore implements UserStore {
  readonly isStateless = true;
  readonly #persistent: UserStore;

  constructor(persistent: UserStore) {
    this.#persistent = persistent;
  }

  async create(user: User): Promise<User> {
    return user.provider === LOCAL_PROVIDER ? this.#persistent.create(user) : user;
  }

  get(id: string): Promise<User | null> {
    return this.#persistent.get(id);
  }

  findByEmail(email: string): Promise<User | null> {
    return this.#persistent.findByEmail(email);
  }

  findByUsername(username: string): Promise<User | null> {
    return this.#persistent.findByUsername(username);
  }

  findByIdentity(provider: string, providerId: string): Promise<User | null> {
    return this.#persistent.findByIdentity(provider, providerId);
  }

  update(id: string, change: UserChange): Promise<User | null> {
    return this.#persistent.update(id, change);
  }

  delete(id: string): Promise<User | null> {
    return this.#persistent.delete(id);
  }

  list(range: { limit: number; offset: number }): Promise<readonly User[]> {
    return this.#persistent.list(range);
  }

  count(): Promise<number> {
    return this.#persistent.count();
  }
}
