import { z } from "zod";
import type { ChangeBatch, SiteContext } from "#kernel";
import type { RedirectSource } from "./contract.js";
import {
  addRedirects,
  changedRedirects,
  redirectChanges,
  withChanges,
  withRedirects,
  type RedirectChanges,
  type Redirects,
} from "./redirects.js";

const shape = z.record(z.string(), z.string().nullable());

/** The redirects that apply: those of the configuration, and what has changed since startup on any node. */
export class LiveRedirects implements RedirectSource {
  readonly #site: SiteContext;
  /** Since startup, which the loaded settings lack. */
  readonly #changes: RedirectChanges[] = [];
  #configured: Redirects;
  #current: Redirects;

  constructor(site: SiteContext) {
    this.#site = site;
    this.#configured = site.settings.site.redirects;
    this.#current = this.#configured;
    site.extensions.add("redirects", (configured) => this.#from(configured));
    site.changes.react("check.redirects", (batch) => this.#take(batch));
  }

  get current(): Redirects {
    return this.#current;
  }

  /** Adds those of a move. Returns why they could not be written, or null; they act in either case. */
  async add(added: Redirects): Promise<string | null> {
    if (Object.keys(added).length === 0) return null;
    const keyOf = (address: string) => this.#site.use("content").addresses.redirectKey(address);
    this.#announce(redirectChanges(this.#current, addRedirects(this.#current, added, keyOf)));
    try {
      await this.#site.configFiles.edit("site", ({ text }) => withRedirects(text, added, keyOf));
      return null;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#site.log.error("check.redirects_failed", { error: message });
      return `the redirects are lost at the next restart: ${message}`;
    }
  }

  async change(changes: RedirectChanges, options: { ifHash?: string } = {}): Promise<string> {
    const next = ({ text }: { text: string }): string => withChanges(text, changes);
    const { hash } = await this.#site.configFiles.edit("site", next, options);
    this.#announce(changes);
    return hash;
  }

  /** Tells every node, this one included, and drops the responses that were made with the old ones. */
  #announce(after: RedirectChanges): void {
    const change = { kind: "redirects", key: "site", op: "update", before: null, after } as const;
    const batch = { changes: [change], tags: new Set<string>(), isTransient: true };
    // Only `react` listeners receive it.
    void this.#site.changes.publish(batch);
    this.#site.use("cache", { optional: true })?.clear();
  }

  #take({ changes }: ChangeBatch): void {
    for (const { kind, after } of changes) {
      const parsed = kind === "redirects" ? shape.safeParse(after).data : undefined;
      if (parsed === undefined) continue;
      this.#changes.push(parsed);
      this.#current = changedRedirects(this.#current, parsed);
    }
  }

  /** The same object until something changes. */
  #from(configured: Redirects): Redirects {
    if (configured !== this.#configured) {
      this.#configured = configured;
      this.#current = this.#changes.reduce(changedRedirects, configured);
    }
    return this.#current;
  }
}
