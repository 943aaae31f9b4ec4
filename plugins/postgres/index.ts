/**
 * Keeps in PostgreSQL what several servers of one site share: background jobs, API tokens, logs.
 * Uses: jobs, records, cluster, health.
 * Adds: jobs, leader, records, writeLock.
 */
import { definePlugin, OptionalPackages } from "#kernel";
import { SiteError } from "#lib/errors";
import type {} from "../cluster/contract.js";
import type {} from "../jobs/contract.js";
import type {} from "./contract.js";
import { postgresErrors } from "./errors.js";
import { settings } from "./settings.js";

/** The version of Node.js that pg-boss needs. */
const NODE = [22, 12] as const;

const packages = new OptionalPackages({
  plugin: "postgres",
  packages: ["pg", "kysely"],
  neededBy: ({ settings: { system } }) => {
    if (system.jobs.engine === "postgres") return "jobs.engine: postgres";
    return system.records.store === "postgres" ? "records.store: postgres" : null;
  },
});
const jobPackages = new OptionalPackages({
  plugin: "postgres",
  packages: ["pg-boss"],
  neededBy: ({ settings: { system } }) =>
    system.jobs.engine === "postgres" ? "jobs.engine: postgres" : null,
});

export default definePlugin({
  name: "postgres",
  version: "1.0.0",
  async diagnostics() {
    const { postgresCheck } = await import("#lib/diagnostics");
    return [
      packages.diagnostic,
      jobPackages.diagnostic,
      postgresCheck(
        ({ system: { jobs, records } }) =>
          jobs.engine === "postgres" || records.store === "postgres",
      ),
    ];
  },
  onlyServing: true,
  description: "Shared state in PostgreSQL",
  errors: postgresErrors,
  requires: ["jobs", "records"],
  after: ["cluster", "health"],
  settings,
  async setup(site) {
    if (site.settings.system.jobs.engine === "postgres") assertNodeVersion(process.versions.node);
    await packages.assertInstalled(site);
    await jobPackages.assertInstalled(site);
    const { jobs, records } = site.settings.system;
    if (jobs.engine !== "postgres" && records.store !== "postgres") return;
    const { setUpPostgres } = await import("./set-up.js");
    setUpPostgres(site);
  },
});

/** @throws ERR_POSTGRES_NODE. */
export function assertNodeVersion(version: string): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > NODE[0] || (major === NODE[0] && minor >= NODE[1])) return;
  const needed = NODE.join(".");
  throw new SiteError(
    "ERR_POSTGRES_NODE",
    `jobs.engine: postgres needs Node.js ${needed} or newer, and this is ${version}`,
    { fix: `run the site with Node.js ${needed} or newer, or set jobs.engine: files` },
  );
}
