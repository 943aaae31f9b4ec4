import type { SiteContext } from "#kernel";

/** True when `dev/apply` is available. */
export function isDevMode({
  settings,
  runtime: { env },
}: Pick<SiteContext, "runtime" | "settings">): boolean {
  return env.mode === "dev" || settings.system.debug;
}

/** Warns that `system.debug` enables `dev/apply` on a production server. */
export function warnOfDebug(site: Pick<SiteContext, "runtime" | "settings" | "log">): void {
  const { log, settings } = site;
  const { env } = site.runtime;
  if (env.mode === "dev" || !settings.system.debug) return;
  log.warn("admin.debug_open", {
    key: "system.debug",
    opens: `POST ${settings.admin.path}/api/dev/apply`,
    fix: "remove `debug: true` from system.yaml, unless this server is meant to accept batches",
  });
}
