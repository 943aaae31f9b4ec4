/** Everything that the site stores about an account: export and deletion. */
import type { ExtensionList, SiteContext } from "#kernel";
import type { PublicUser } from "../../users/contract.js";
import type { PersonalData } from "../contract.js";

/** What is always stored about an account. */
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

  /** By plugin; `account` is the account itself. */
  async export(user: PublicUser): Promise<Record<string, unknown>> {
    const parts = await Promise.all(
      this.#ofPlugins.all.map(
        async ({ plugin, value }) => [plugin, (await value.export(user)) ?? null] as const,
      ),
    );
    const exportedAt = new Date(this.#site.runtime.clock.now()).toISOString();
    return { exportedAt, account: await this.#own.export(user), ...Object.fromEntries(parts) };
  }

  /** Deletes the data of plugins, then the account. An error leaves the account, so that it can be repeated. */
  async erase(user: PublicUser): Promise<void> {
    for (const part of this.#ofPlugins.values) await part.erase(user);
    await this.#own.erase(user);
    await this.#site.use("users").delete(user.id);
  }
}
