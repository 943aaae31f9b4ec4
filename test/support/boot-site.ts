import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  createEnv,
  createSite,
  silentLog,
  type Clock,
  type ConfigFile,
  type Logger,
  type Plugin,
  type Site,
} from "#kernel";
import { house } from "../../plugins/main.js";

/** How a site for a test is made. */
export interface BootOptions {
  /** Relative path to text or bytes. `site.yaml` with a title is made when absent. */
  files?: Readonly<Record<string, string | Buffer>>;
  /** First-party plugins to select; default: all. */
  plugins?: readonly string[];
  /** Settings above the files. */
  settings?: { [F in ConfigFile]?: Record<string, unknown> };
  extraPlugins?: readonly Plugin[];
  /** The environment; nothing of the process's own is seen. */
  env?: Readonly<Record<string, string | undefined>>;
  clock?: Clock;
  log?: Logger;
  /** A folder to boot again instead of a new one; it is then kept by `close`. */
  root?: string;
}
/** A running site on a temporary folder. */
export interface TestSite {
  root: string;
  /** `http://127.0.0.1:<port>`. */
  url: string;
  site: Site;
  /** `fetch` on the site; redirects are not followed. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  write(file: string, data: string | Buffer): Promise<void>;
  close(): Promise<void>;
}

/** Boots a site on a free port of the loopback interface; it is ready when this resolves. */
export async function bootSite(options: BootOptions = {}): Promise<TestSite> {
  const root = options.root ?? (await mkdtemp(join(tmpdir(), "site-test-")));
  const write = async (file: string, data: string | Buffer): Promise<void> => {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), data);
  };
  if (options.root === undefined) {
    const files = { "site.yaml": "title: Test\n", ...options.files };
    for (const [file, data] of Object.entries(files)) await write(file, data);
  }
  const site = await createSite(root, {
    house,
    env: createEnv({ SITE_ENV: "dev", ...options.env }),
    log: options.log ?? silentLog,
    ...(options.clock && { clock: options.clock }),
    ...(options.plugins && { selection: options.plugins }),
    ...(options.settings && { overrides: options.settings }),
    ...(options.extraPlugins && { extraPlugins: options.extraPlugins }),
  });
  const port = await site.listen(0);
  await readyOrClosed(site);
  const url = `http://127.0.0.1:${port}`;
  return {
    root,
    url,
    site,
    fetch: (path, init) => fetch(url + path, { redirect: "manual", ...init }),
    write,
    close: async () => {
      await site.close();
      if (options.root === undefined)
        await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A site that cannot start must not keep the test run alive. */
async function readyOrClosed(site: Site): Promise<void> {
  try {
    await site.ready;
  } catch (error) {
    await site.close();
    throw error;
  }
}
