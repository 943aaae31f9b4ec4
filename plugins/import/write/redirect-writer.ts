/** Old addresses as `redirects` of site.yaml, all in one step. */
import { SiteError, type SiteContext } from "#kernel";
import type { Origin } from "../contract.js";
import { decoded, encodedPath } from "../plan/address-key.js";
import type { Plan } from "../plan/plan.js";
import type { PlannedMedia } from "../plan/places.js";
import type { Tally } from "./tally.js";

/** Addresses that are longer are not public ones. */
const MAX_LENGTH = 2_000;

/** Collects redirects. */
export class RedirectWriter {
  readonly #site: SiteContext;
  readonly #tally: Tally;
  readonly #added = new Map<string, { to: string; origin: Origin }>();

  constructor(site: SiteContext, tally: Tally) {
    this.#site = site;
    this.#tally = tally;
  }

  /** Adds a redirect between encoded addresses, see `encodedPath`. */
  add(from: string, to: string, origin: Origin): void {
    const path = from.length > 1 ? from.replace(/(?<!\/)\/+$/, "") : from;
    if (path === to || path === "" || this.#added.has(path)) return;
    if (!path.startsWith("/") || path.includes("//") || path.length > MAX_LENGTH) return;
    // One redirect that site.yaml does not take would reject all.
    const problem = this.#site.use("content").addresses.redirectProblem(path, to);
    if (problem === null) this.#added.set(path, { to, origin });
    else this.#tally.note(origin, `redirect from ${path} to ${to}: expected ${problem}`);
  }

  /** Writes those that are missing. */
  async write(dryRun: boolean): Promise<void> {
    const check = this.#site.use("check");
    const { redirectKey } = this.#site.use("content").addresses;
    const current = new Map(
      Object.entries(check.redirects.current).map(([from, to]) => [redirectKey(from), to]),
    );
    const changes: Record<string, string> = {};
    for (const [from, { to, origin }] of this.#added) {
      const existing = current.get(redirectKey(from));
      if (existing === to) this.#tally.redirects.unchanged += 1;
      else {
        const issue = this.#issue(from, existing);
        if (issue === null) changes[from] = to;
        else this.#tally.skip("redirects", origin, `redirect from ${from}: ${issue}`);
      }
    }
    const { length } = Object.keys(changes);
    if (length > 0 && !dryRun && !(await this.#change(changes))) return;
    this.#tally.redirects.created += length;
  }

  async #change(changes: Readonly<Record<string, string>>): Promise<boolean> {
    try {
      await this.#site.use("check").redirects.change(changes);
      return true;
    } catch (error) {
      if (!(error instanceof SiteError)) throw error;
      const reason = `the redirects could not be written: ${error.message}`;
      this.#tally.fail("redirects", { file: "site.yaml" }, reason);
      return false;
    }
  }

  #issue(from: string, there: string | undefined): string | null {
    if (there !== undefined) return `the site redirects it to ${there}, which stays`;
    const content = this.#site.use("content");
    const [encoded = "", query] = from.split("?", 2);
    const path = decoded(encoded);
    const { route: target, lang } = content.addresses.parse(encoded);
    const { default: main } = this.#site.settings.system.languages;
    // A page answers all other queries.
    const page = query === undefined ? content.generation().at(target, lang ?? main) : undefined;
    if (page !== undefined) return `the page ${page.sourcePath} has this address`;
    const route = content.claimOf(path);
    return route === null ? null : `the site answers there itself (${route})`;
  }
}

/** Adds the redirects from the old addresses of all pages that were imported, and of the files when those were. */
export function addOldAddresses(plan: Plan, redirects: RedirectWriter, takesMedia: boolean): void {
  for (const { addresses, route, origin, takenBy, leftOut } of plan.pages) {
    if (takenBy !== null || leftOut !== null) continue;
    for (const key of paths(plan, addresses)) redirects.add(key, encodedPath(route), origin);
  }
  if (!takesMedia) return;
  for (const file of plan.media) {
    for (const key of paths(plan, file.addresses)) {
      redirects.add(key, encodedPath(`/content-media/${file.path}`), file.origin);
    }
  }
}

/** Paths on the old host; those with a query are redirects of their source. */
function paths(plan: Plan, addresses: PlannedMedia["addresses"]): string[] {
  return addresses
    .map((address) => plan.toKey(address))
    .filter((key) => /^\/(?!\/)/.test(key))
    .map(encodedPath);
}
