/** The promises of a version of Sitewright to sites: `dist/contract.json` of its package. */
import { z } from "zod";

/** The format that this version reads and writes. */
export const CONTRACT_FORMAT = 1;
/** The file below the package, with slashes. */
export const CONTRACT_FILE = "dist/contract.json";

/** A key of a configuration file. */
const setting = z.object({
  /** Dotted; `[]` stands for an item of a list, `<name>` for a key of the user's. */
  key: z.string(),
  type: z.string(),
  /** As JSON; null without one. */
  default: z.string().nullable(),
  /** The plugin, or `kernel`. */
  owner: z.string(),
});
const named = z.object({ owner: z.string(), type: z.string(), members: z.array(z.string()) });
const route = z.object({
  method: z.string(),
  path: z.string(),
  owner: z.string(),
  /** Names of the query parameters that it checks. */
  parameters: z.array(z.string()),
});

export const contractShape = z.object({
  format: z.literal(CONTRACT_FORMAT),
  version: z.string(),
  /** Range of Node.js. */
  node: z.string(),
  /** Version of the plugin API. */
  pluginApi: z.string(),
  /** First-party plugins. */
  plugins: z.array(z.string()),
  hooks: z.record(
    z.string(),
    z.object({ owner: z.string(), kind: z.string(), payload: z.string() }),
  ),
  services: z.record(z.string(), named),
  slots: z.record(z.string(), named),
  routes: z.array(route),
  settings: z.object({
    site: z.array(setting),
    system: z.array(setting),
    admin: z.array(setting),
  }),
  commands: z.record(z.string(), z.object({ owner: z.string(), options: z.array(z.string()) })),
  /** Templates of the default theme. */
  templates: z.array(z.string()),
  /** Names that each module exports, by the address of the import. */
  exports: z.record(z.string(), z.array(z.string())),
  /** Changes that the version makes to the configuration of an older one. */
  migrations: z.array(
    z.object({ version: z.string(), summary: z.string(), keys: z.array(z.string()) }),
  ),
});
export type VersionContract = z.output<typeof contractShape>;
export type ContractSetting = z.output<typeof setting>;
export type ContractRoute = z.output<typeof route>;
