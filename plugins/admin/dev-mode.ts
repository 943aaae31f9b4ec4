import type { SiteContext } from "#kernel";

/** True when `dev/apply` is available. */
export function isDevMode({ env, settings }: Pick<SiteContext, "env" | "settings">): boolean {
  return env.mode === "dev" || settings.system.debug;
}

/** Warns that `system.debug` enables `dev/apply` on a production server. */
export function warnOfDebug(site: Pick<SiteContext, "env" | "settings" | "log">): void {
  const { env, log, settings } = site;
  if (env.mode === "dev" || !settings.system.debug) return;
  log.warn("admin.debug_open", {
    key: "system.debug",
    opens: `POST ${settings.admin.path}/api/dev/apply`,
    fix: "remove `debug: true` from system.yaml, unless this server is meant to accept batches",
  });
}
