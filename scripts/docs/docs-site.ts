import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Command,
  commandsOf,
  createEnv,
  createSite,
  type Plugin,
  silentLog,
  type SiteContext,
} from "#kernel";
import { firstParty } from "../../plugins/main.js";

/** The declarations of all first-party plugins, and a site with all of them set up. */
export interface DocsSite {
  plugins: readonly Plugin[];
  /** The commands of the plugins, each with the name of its plugin. */
  commands: readonly { readonly command: Command; readonly owner: string }[];
  site: SiteContext;
}

/** Sets up every plugin on an empty site, without a port, until `work` is done. */
export async function withDocsSite<T>(work: (open: DocsSite) => T | Promise<T>): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), "site-docs-"));
  await writeFile(join(root, "site.yaml"), "title: Docs\n");
  const site = await createSite(root, { firstParty, env: createEnv({}), log: silentLog });
  try {
    const plugins = await Promise.all(firstParty.plugins.map(({ load }) => load()));
    const lists = plugins.map(async (plugin) =>
      (await commandsOf(plugin)).map((command) => ({ command, owner: plugin.name })),
    );
    const commands = (await Promise.all(lists)).flat();
    return await work({ plugins, commands, site: site.context("docs") });
  } finally {
    await site.close();
    await rm(root, { recursive: true, force: true });
  }
}
