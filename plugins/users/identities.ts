import type { Clock } from "#kernel";
import { HttpError, SiteError } from "#kernel";
import type {
  LinkedIdentity,
  LinkOutcome,
  NewUser,
  ProviderProfile,
  UpsertOutcome,
  User,
  UserStore,
} from "./contract.js";
import { throughFront } from "./stores.js";
import { checkedEmail } from "./user-fields.js";

/** Attempts of a first login when a concurrent one of the same person wins. */
const TRIES = 3;
const MAGIC = "magic";

/** Dependencies on the front. */
export interface IdentityOptions {
  store(): UserStore;
  clock: Clock;
  create(user: NewUser): Promise<User>;
  update(id: string, change: (user: User) => User): Promise<User>;
}

/** Finds the account of an identity; adds and removes identities. */
export class Identities {
  readonly #options: IdentityOptions;

  constructor(options: IdentityOptions) {
    this.#options = options;
  }

  async upsert(profile: ProviderProfile): Promise<UpsertOutcome> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await this.#upsertOnce(profile);
      } catch (error) {
        if (tried === TRIES || !isTaken(error)) throw error;
        // Another login created the account since the lookup: look again.
      }
    }
  }

  async link(id: string, identity: Omit<LinkedIdentity, "linkedAt">): Promise<LinkOutcome> {
    const { provider, providerId } = identity;
    const owner = await this.#find(provider, providerId);
    if (owner !== null && owner.id !== id) return { kind: "linked_elsewhere", owner };
    if (owner !== null) return { kind: "already_linked", user: owner };
    try {
      const linked = { provider, providerId, linkedAt: this.#options.clock.now() };
      // Check again inside the update: the same link may finish twice at once.
      const user = await this.#options.update(id, (stored) =>
        has(stored, linked)
          ? stored
          : { ...stored, linkedProviders: [...stored.linkedProviders, linked] },
      );
      return { kind: "linked", user };
    } catch (error) {
      const winner = isTaken(error) ? await this.#find(provider, providerId) : null;
      if (winner === null) throw error;
      return { kind: "linked_elsewhere", owner: winner };
    }
  }

  unlink(id: string, provider: string, options: { keepLast: boolean }): Promise<User> {
    return this.#options.update(id, (user) => {
      const others = user.linkedProviders.filter((linked) => linked.provider !== provider);
      if (others.length === user.linkedProviders.length) throw notLinked(user, provider);
      if (others.length === 0 && options.keepLast) {
        throw new HttpError(
          400,
          "the last linked identity cannot be removed while magic links are off",
          {
            code: "ERR_USER_IDENTITY_LAST",
            fix: "link another one first",
          },
        );
      }
      return { ...user, linkedProviders: others };
    });
  }

  async #upsertOnce(profile: ProviderProfile): Promise<UpsertOutcome> {
    const { store } = this.#options;
    const email = checkedEmail(profile.email);
    const { provider, providerId } = profile;
    const byIdentity = providerId && (await this.#find(provider, providerId));
    if (byIdentity) return this.#seen(byIdentity, profile);
    const byEmail = await throughFront(() => store().findByEmail(email));
    if (byEmail === null)
      return { kind: "created", user: await this.#options.create({ ...profile, email }) };
    // A concurrent login of the same person may have created the account since the first lookup.
    const isOwn = provider === MAGIC || (providerId && has(byEmail, { provider, providerId }));
    return isOwn ? this.#seen(byEmail, profile) : { kind: "email_taken" };
  }

  /** Updates the account from the provider's profile and notes the visit. */
  async #seen(user: User, profile: ProviderProfile): Promise<UpsertOutcome> {
    if (user.enabled === false) return { kind: "disabled" };
    const { name, avatarUrl } = profile;
    const updated = await this.#options.update(user.id, (stored) => ({
      ...stored,
      name: name ?? stored.name,
      avatarUrl: avatarUrl ?? stored.avatarUrl,
      lastSeenAt: this.#options.clock.now(),
    }));
    return { kind: "found", user: updated };
  }

  #find(provider: string, providerId: string): Promise<User | null> {
    return throughFront(() => this.#options.store().findByIdentity(provider, providerId));
  }
}

function has(
  user: User,
  { provider, providerId }: Pick<LinkedIdentity, "provider" | "providerId">,
): boolean {
  return [user, ...user.linkedProviders].some(
    (linked) => linked.provider === provider && linked.providerId === providerId,
  );
}

function notLinked(user: User, provider: string): HttpError {
  if (user.provider === provider) {
    return new HttpError(400, "the signup identity of an account cannot be unlinked", {
      code: "ERR_USER_IDENTITY_SIGNUP",
    });
  }
  return new HttpError(
    400,
    `${JSON.stringify(provider.slice(0, 80))} is not linked to this account`,
    {
      code: "ERR_USER_IDENTITY_UNKNOWN",
    },
  );
}

function isTaken(error: unknown): boolean {
  return error instanceof SiteError && /^ERR_USER_(EMAIL|IDENTITY)_TAKEN$/.test(error.code);
}
