import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEnv, createSite, silentLog, type Plugin, type SiteContext } from "#kernel";
import { house } from "../../plugins/main.js";

/** Every first-party plugin as it declares itself, and a site on which all of them are set up. */
export interface OpenHouse {
  plugins: readonly Plugin[];
  site: SiteContext;
}

/** Sets every plugin up on an empty site, without a port, for as long as `work` takes. */
export async function withOpenHouse<T>(work: (open: OpenHouse) => T | Promise<T>): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), "site-docs-"));
  await writeFile(join(root, "site.yaml"), "title: Docs\n");
  const site = await createSite(root, { house, env: createEnv({}), log: silentLog });
  try {
    const plugins = await Promise.all(house.plugins.map(({ load }) => load()));
    return await work({ plugins, site: site.context("docs") });
  } finally {
    await site.close();
    await rm(root, { recursive: true, force: true });
  }
}
