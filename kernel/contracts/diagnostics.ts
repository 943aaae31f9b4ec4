/** Checks of `site doctor`: what plugins contribute, and what they find. */
import type { Finding } from "#lib/diagnostics";
import type { Env, Paths } from "./environment.js";
import type { Settings } from "./settings.js";
import type { SiteContext } from "./site.js";

export type { Finding } from "#lib/diagnostics";

/** The site that a check receives, before it is set up. */
export interface ExaminedSite {
  /** Valid, with defaults. */
  readonly settings: Settings;
  readonly paths: Paths;
  readonly env: Env;
  /** Boots the site without a port, once for all checks. @throws the errors of the boot. */
  site(): Promise<SiteContext>;
}
/** A check of a plugin. */
export interface Diagnostic {
  /** Name of what it checks: `mail`. Several plugins may check one thing: equal findings are shown once. */
  readonly name: string;
  /** True: it calls `site`, which takes longer; left out when the site does not start. */
  readonly needsSite?: boolean;
  /** True: the site does not start while it finds an error, so starting is not tried. */
  readonly isNeeded?: boolean;
  /** No findings: the site does not use it. A rejection, or ten seconds without a result, is an error. */
  run(place: ExaminedSite): readonly Finding[] | Promise<readonly Finding[]>;
}
