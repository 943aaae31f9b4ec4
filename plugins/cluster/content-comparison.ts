/** Finds nodes whose content is not that of this node: two clusters on one store by mistake. */
import { createHash } from "node:crypto";
import type { SiteContext } from "#kernel";
import type {} from "../content/contract.js";
import type { NodeRecord } from "./transport.js";

/** Content differs for a while during each change; what stays different for longer is reported, in ms. */
const DIFFERS_MS = 60_000;

/** Two digests that differ, and since when neither has changed. */
interface Difference {
  readonly own: string;
  readonly other: string;
  readonly since: number;
}

/** A digest of paths and texts of all pages; empty before they are indexed. Read again after a change. */
export function contentDigest(site: SiteContext): () => string {
  let known = { id: -1, digest: "" };
  return () => {
    const generation = site.use("content", { optional: true })?.generation();
    if (generation === undefined || generation.entries.length === 0) return "";
    if (generation.id === known.id) return known.digest;
    const hash = createHash("sha256");
    for (const { sourcePath, hash: text } of generation.entries)
      hash.update(`${sourcePath} ${text}\n`);
    known = { id: generation.id, digest: hash.digest("hex").slice(0, 12) };
    return known.digest;
  };
}

/** Compares this node's content with that of the others. */
export class ContentComparison {
  readonly #now: () => number;
  readonly #differences = new Map<string, Difference>();

  /** `now` returns ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The nodes whose content has differed for a minute in which nothing was changed on either side. */
  compare({ content: own }: NodeRecord, others: readonly NodeRecord[]): readonly NodeRecord[] {
    for (const id of this.#differences.keys()) {
      if (!others.some((node) => node.id === id)) this.#differences.delete(id);
    }
    return others.filter((node) => this.#hasDiffered(own, node));
  }

  #hasDiffered(own: string, { id, content: other }: NodeRecord): boolean {
    // Empty: an older version, or a node that is starting.
    if (own === other || own === "" || other === "") {
      this.#differences.delete(id);
      return false;
    }
    const before = this.#differences.get(id);
    if (before?.own === own && before.other === other) {
      return this.#now() - before.since >= DIFFERS_MS;
    }
    this.#differences.set(id, { own, other, since: this.#now() });
    return false;
  }
}
