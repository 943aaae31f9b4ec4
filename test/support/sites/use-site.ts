/** Sites for the tests of a `describe`: booted and closed by its hooks, and read through one name. */
import { bootAdmin, type AdminClient, type AdminSite } from "./admin-site.js";
import { bootSite, type BootOptions, type TestSite } from "./boot-site.js";

/** A site with its admin API, and its accounts. */
export interface UsedAdmin extends AdminSite {
  /** A client that is logged in once the site is booted. */
  user(role: string, options?: { username?: string }): AdminClient;
}
/** Registers a hook of the test runner. */
type Hook = (work: () => Promise<void>) => void;

/** A site that all tests of the `describe` share. */
export function useSite(options?: BootOptions): TestSite {
  const current = used(() => bootSite(options), before, after);
  return {
    get root() {
      return current().root;
    },
    get url() {
      return current().url;
    },
    get site() {
      return current().site;
    },
    fetch: (...values) => current().fetch(...values),
    write: (...values) => current().write(...values),
    close: () => current().close(),
  };
}

/** A site with its admin API that all tests of the `describe` share. */
export function useAdmin(options?: BootOptions): UsedAdmin {
  return usedAdmin(options, before, after);
}

/** A new site with its admin API for each test of the `describe`. */
export function useFreshAdmin(options?: BootOptions): UsedAdmin {
  return usedAdmin(options, beforeEach, afterEach);
}

function usedAdmin(options: BootOptions | undefined, begin: Hook, end: Hook): UsedAdmin {
  const current = used(() => bootAdmin(options), begin, end);
  return {
    get root() {
      return current().root;
    },
    get url() {
      return current().url;
    },
    get site() {
      return current().site;
    },
    fetch: (...values) => current().fetch(...values),
    write: (...values) => current().write(...values),
    close: () => current().close(),
    as: (...values) => current().as(...values),
    withToken: (...values) => current().withToken(...values),
    audit: () => current().audit(),
    user: (role, options) => {
      let client: AdminClient | undefined;
      begin(async () => void (client = await current().as(role, options)));
      const user = (): AdminClient => present(client);
      return {
        get id() {
          return user().id;
        },
        get cookie() {
          return user().cookie;
        },
        get csrf() {
          return user().csrf;
        },
        send: (...request) => user().send(...request),
        json: (...request) => user().json(...request),
      };
    },
  };
}

/** Boots and closes with the hooks; returns what is booted now. */
function used<S extends TestSite>(boot: () => Promise<S>, begin: Hook, end: Hook): () => S {
  let site: S | undefined;
  begin(async () => void (site = await boot()));
  end(async () => {
    await site?.close();
    site = undefined;
  });
  return () => present(site);
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("used before the hooks of its describe have run");
  return value;
}
