import { installCommand, isInstalled, packagesMissing } from "#lib/packages";
import type { Diagnostic, Env, Finding, Paths, Settings, SiteRuntime } from "../contracts.js";

/** A site that may need optional packages. */
export interface PackageSite {
  readonly settings: Settings;
  readonly paths: Paths;
  readonly runtime: Pick<SiteRuntime, "env">;
}

/** The parts of a site that decide whether it needs optional packages. */
export interface PackagePlace {
  readonly settings: Settings;
  readonly paths: Paths;
  readonly env: Env;
}

/** Optional peers of Sitewright, and the configuration that needs them. */
export interface PackageNeed {
  /** Name of the plugin that loads them. */
  readonly plugin: string;
  readonly packages: readonly string[];
  /** The key that needs them, with its value: `jobs.engine: postgres`; null when the site does not. */
  neededBy(place: PackagePlace): string | null | Promise<string | null>;
}

/** Packages that only some sites have: checked at startup and by `site doctor`. */
export class OptionalPackages {
  /** Reports whether the packages that this site needs are installed. */
  readonly diagnostic: Diagnostic;
  readonly #need: PackageNeed;
  /** Packages do not leave a running process: one search is enough for all its sites. */
  #areInstalled = false;

  constructor(need: PackageNeed) {
    this.#need = need;
    this.diagnostic = { name: "packages", run: (site) => findings(need, site) };
  }

  /** @throws ERR_PACKAGE_MISSING when the site needs a package that is not installed. */
  async assertInstalled({ settings, paths, runtime: { env } }: PackageSite): Promise<void> {
    if (this.#areInstalled) return;
    const { plugin, packages } = this.#need;
    const missing = packages.filter((name) => !isInstalled(name));
    this.#areInstalled = missing.length === 0;
    if (this.#areInstalled) return;
    const neededBy = await this.#need.neededBy({ settings, paths, env });
    if (neededBy !== null) throw packagesMissing({ plugin, packages: missing, neededBy });
  }
}

async function findings(need: PackageNeed, site: PackagePlace): Promise<readonly Finding[]> {
  const neededBy = await need.neededBy(site);
  if (neededBy === null) return [];
  return need.packages.map((name): Finding => {
    const seen = `\`${neededBy}\` (plugin ${need.plugin}) needs the package ${name}`;
    if (isInstalled(name)) return { level: "ok", seen: `${seen}, which is installed` };
    const fix = installCommand([name]);
    return { level: "error", seen: `${seen}, which is not installed`, fix };
  });
}
