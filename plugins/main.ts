/**
 * The list of all first-party plugins; each is loaded only when it is selected. The entry point
 * `sitewright/plugins`, which also exports the types of services and engines.
 */
import { existsSync, readFileSync } from "node:fs";
import { runningFile, runsSources } from "#lib/packages";
import type { FirstPartyPlugin, Plugin, PluginOutline, Program } from "#kernel";
import { swapJournal } from "./backup/restore/swap-journal.js";
import type { PrimaryPart } from "./workers/contract.js";

export type * from "./contracts.js";

type PluginModule = () => Promise<{ default: Plugin }>;

/** In alphabetical order; the kernel orders selected plugins by `requires` and `after`. */
const modules: Readonly<Record<string, PluginModule>> = {
  admin: () => import("./admin/index.js"),
  auth: () => import("./auth/index.js"),
  backup: () => import("./backup/index.js"),
  cache: () => import("./cache/index.js"),
  cdn: () => import("./cdn/index.js"),
  check: () => import("./check/index.js"),
  cluster: () => import("./cluster/index.js"),
  codegen: () => import("./codegen/index.js"),
  comments: () => import("./comments/index.js"),
  content: () => import("./content/index.js"),
  dev: () => import("./dev/index.js"),
  doctor: () => import("./doctor/index.js"),
  email: () => import("./email/index.js"),
  embeds: () => import("./embeds/index.js"),
  feeds: () => import("./feeds/index.js"),
  flex: () => import("./flex/index.js"),
  forms: () => import("./forms/index.js"),
  "git-sync": () => import("./git-sync/index.js"),
  health: () => import("./health/index.js"),
  history: () => import("./history/index.js"),
  import: () => import("./import/index.js"),
  jobs: () => import("./jobs/index.js"),
  llms: () => import("./llms/index.js"),
  markdown: () => import("./markdown/index.js"),
  mcp: () => import("./mcp/index.js"),
  media: () => import("./media/index.js"),
  openapi: () => import("./openapi/index.js"),
  outbound: () => import("./outbound/index.js"),
  packages: () => import("./packages/index.js"),
  pages: () => import("./pages/index.js"),
  panel: () => import("./panel/index.js"),
  payments: () => import("./payments/index.js"),
  postgres: () => import("./postgres/index.js"),
  records: () => import("./records/index.js"),
  render: () => import("./render/index.js"),
  search: () => import("./search/index.js"),
  "search-lunr": () => import("./search-lunr/index.js"),
  "search-postgres": () => import("./search-postgres/index.js"),
  security: () => import("./security/index.js"),
  session: () => import("./session/index.js"),
  static: () => import("./static/index.js"),
  tracing: () => import("./tracing/index.js"),
  upgrade: () => import("./upgrade/index.js"),
  uploads: () => import("./uploads/index.js"),
  users: () => import("./users/index.js"),
  webhooks: () => import("./webhooks/index.js"),
  workers: () => import("./workers/index.js"),
};

/** Name and module of every first-party plugin. */
export const firstPartyPlugins: readonly FirstPartyPlugin[] = Object.entries(modules).map(
  ([name, load]) => ({ name, load: async () => (await load()).default }),
);

/** What `scripts/build.mjs` has written; null when the sources run. */
function readOutlines(): readonly PluginOutline[] | null {
  if (runsSources()) return null;
  const text = readFileSync(runningFile("plugins/outlines.json"), "utf8");
  return JSON.parse(text) as readonly PluginOutline[];
}

/** Parts of the primary process, for sites with several workers. */
const primaryParts: readonly (() => Promise<PrimaryPart>)[] = [
  async () => (await import("./cluster/engines/workers-hub.js")).default,
  async () => (await import("./security/engines/workers.js")).default,
];

/** The first-party plugins, and the modules that a site's own code may import. */
export const firstParty: Program = {
  plugins: firstPartyPlugins,
  tools: ["backup", "dev", "doctor", "packages", "upgrade", "workers"],
  serving: ["dev"],
  server: async () => (await import("./workers/site-server.js")).siteServer(primaryParts),
  beforeConfig: [
    async (root) => {
      if (!existsSync(swapJournal(root))) return;
      await (await import("./backup/restore/root-swap.js")).undoInterruptedSwap(root);
    },
  ],
  acceptPackage: async (...one) => (await import("#lib/packages")).assertLocked(...one),
  sharedModules: {
    "#kernel": () => import("#kernel"),
    sitewright: () => import("#kernel"),
    "#theme": () => import("#theme"),
    "sitewright/theme": () => import("#theme"),
    preact: () => import("preact"),
    "preact/hooks": () => import("preact/hooks"),
    "preact/jsx-runtime": () => import("preact/jsx-runtime"),
  },
  outlines: readOutlines,
  module: "plugins/main",
};
