/** Everything that the site stores about an account: export and deletion. */
import {
  expectFields,
  expectJson,
  HttpError,
  type Contribution,
  type ExtensionList,
  type ExtensionRules,
  type SiteContext,
} from "#kernel";
import type { PublicUser } from "../users/contract.js";
import type { PersonalData } from "./contract.js";

/** The rules for contributions of plugins to `personalData`. */
export const PERSONAL_DATA_RULES: ExtensionRules = {
  check: expectFields({
    fate: expectFields({ deleted: ["string", "nothing"], kept: ["string", "nothing"] }),
    export: ["function"],
    erase: ["function"],
  }),
  fix: 'add { fate: { deleted: "your wishes" }, export: async ({ id }) => …, erase: async ({ id }) => { … } }',
  result: expectJson(),
  // Stores may be large.
  limitMs: 30_000,
};

/** The data that every site stores about an account. */
function accountData(site: SiteContext): PersonalData {
  return {
    fate: { deleted: "your account, its logins, roles and sessions" },
    export: async (user) => {
      const record = await site.use("authz").recordOf(user.id);
      const sessions = await site.use("sessionLists").visitor.list(user.id);
      const permissions =
        record?.tuples.map(({ relation, object }) => ({ relation, object })) ?? [];
      const passkeys = await site.use("passkeys").of("visitor", "/auth").list(user.id);
      return { ...user, permissions, sessions, passkeys };
    },
    erase: async ({ id }) => {
      await site.use("passkeys").of("visitor", "/auth").forget(id);
      await site.use("sessionLists").visitor.forget(id);
    },
  };
}

/** Exports and deletes what all plugins store. */
export class AllPersonalData {
  readonly #site: SiteContext;
  readonly #own: PersonalData;
  readonly #ofPlugins: ExtensionList<PersonalData>;

  constructor(site: SiteContext, ofPlugins: ExtensionList<PersonalData>) {
    this.#site = site;
    this.#ofPlugins = ofPlugins;
    this.#own = accountData(site);
  }

  fates(): PersonalData["fate"][] {
    return [this.#own, ...this.#ofPlugins.values].map(({ fate }) => fate);
  }

  /** By plugin; `account` is the account itself. @throws HttpError 503 when a part fails: a copy is complete. */
  async export(user: PublicUser): Promise<Record<string, unknown>> {
    const parts = await Promise.all(
      this.#ofPlugins.all.map(async (part) => {
        const stored = await called(part, "exported", (value) => value.export(user));
        return [part.plugin, stored ?? null] as const;
      }),
    );
    const exportedAt = new Date(this.#site.runtime.clock.now()).toISOString();
    return { exportedAt, account: await this.#own.export(user), ...Object.fromEntries(parts) };
  }

  /**
   * Deletes the data of plugins, then the account.
   * @throws HttpError 503 when a part fails: the account stays, so that the deletion can be repeated.
   */
  async erase(user: PublicUser): Promise<void> {
    for (const part of this.#ofPlugins.all)
      await called(part, "deleted", (value) => value.erase(user));
    await this.#own.erase(user);
    await this.#site.use("users").delete(user.id);
  }
}

function called<R>(
  part: Contribution<PersonalData>,
  verb: "exported" | "deleted",
  work: (value: PersonalData) => Promise<R>,
): Promise<R> {
  return part.call(work, (cause) => {
    throw new HttpError(503, `a part of the data cannot be ${verb} at the moment`, {
      code: "ERR_AUTH_PERSONAL_DATA",
      headers: { "Retry-After": "60" },
      cause,
    });
  });
}
