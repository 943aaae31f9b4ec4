import type { Clock, ConfigFile, FirstParty, Logger, Plugin, Site } from "#kernel";
import { bootTestSite } from "#testing";
import { firstParty } from "../../../plugins/main.js";
import { startWatchingProxy } from "../servers/watching-proxy.js";
import { ResponseCheck } from "./response-check.js";

/** Each plugin is imported once: every `import()` asks the thread of the TypeScript loader. */
const importedOnce: FirstParty = {
  ...firstParty,
  plugins: firstParty.plugins.map(({ name, load }) => {
    let plugin: Promise<Plugin> | undefined;
    return { name, load: () => (plugin ??= load()) };
  }),
};

/** Options of a test site. */
export interface BootOptions {
  /** Relative path to text or bytes. A `site.yaml` with a title is created when absent. */
  files?: Readonly<Record<string, string | Buffer>>;
  /** First-party plugins to select; default: all. */
  plugins?: readonly string[];
  /** Settings that override the files. */
  settings?: { [F in ConfigFile]?: Record<string, unknown> };
  extraPlugins?: readonly Plugin[];
  /** The environment variables; those of the process are hidden. */
  env?: Readonly<Record<string, string | undefined>>;
  clock?: Clock;
  /** Time limit of a handler of a hook, in ms. */
  handlerLimitMs?: number;
  log?: Logger;
  /** A folder to boot again instead of a new one; `close` does not delete it. */
  root?: string;
  /** True: middleware under test may respond to undeclared routes. */
  undeclared?: boolean;
}
/** A running site on a temporary folder. */
export interface TestSite {
  root: string;
  /** `http://127.0.0.1:<port>`: a proxy that watches what goes over the wire. */
  url: string;
  site: Site;
  /** `fetch` on the site; does not follow redirects. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  write(file: string, data: string | Buffer): Promise<void>;
  close(): Promise<void>;
}

/**
 * Boots a site on a free port of the loopback interface; resolves when it is ready. Every response is
 * checked against the declaration of its route: `fetch` and `close` throw on a mismatch.
 */
export async function bootSite(options: BootOptions = {}): Promise<TestSite> {
  const { plugins, extraPlugins = [], settings, log, undeclared, ...others } = options;
  const { root, url, site, write, close } = await bootTestSite(
    { firstParty: importedOnce },
    {
      ...others,
      plugins: extraPlugins,
      ...(plugins && { selection: plugins }),
      ...(settings && { config: settings }),
      ...(log && { logger: log }),
    },
  );
  const check = new ResponseCheck(site, { undeclared: undeclared === true });
  const proxy = await startWatchingProxy(Number(new URL(url).port), check.check);
  return {
    root,
    url: proxy.url,
    site,
    write,
    fetch: async (path, init) => {
      const answer = await fetch(proxy.url + path, { redirect: "manual", ...init });
      check.assertNone();
      return answer;
    },
    close: async () => {
      await close();
      await proxy.close();
      check.assertNone();
    },
  };
}
