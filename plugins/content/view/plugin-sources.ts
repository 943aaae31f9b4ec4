import {
  expectEach,
  expectKind,
  expectValues,
  type ExtensionList,
  type Extensions,
  type SiteContext,
  type ValueCheck,
} from "#kernel";
import { FAILED_PART_MS } from "#kernel/internal";
import type { CollectionSource } from "../contract.js";
import { isOwnSource } from "./collection-items.js";
import { entry } from "../payload-checks.js";

const areFunctions = expectValues(expectKind("function"));

const areSources: ValueCheck = (sources) => {
  const problem = areFunctions(sources);
  if (problem !== null) return problem;
  for (const key of Object.keys(Object(sources))) {
    if (!key.startsWith("@") || key === "@")
      return `expected keys that begin with "@", received ${JSON.stringify(key)}`;
    if (isOwnSource(key)) return `${JSON.stringify(key)} is a source of the site itself`;
  }
  return null;
};

/** The sources of collections that plugins add. */
export class PluginSources {
  /** By key; filled by `load`. */
  readonly all = new Map<string, CollectionSource>();
  readonly #list: ExtensionList<Extensions["collectionSources"]>;
  readonly #now: () => number;

  constructor(site: Pick<SiteContext, "extensions" | "runtime">) {
    this.#list = site.extensions.open("collectionSources", {
      check: areSources,
      fix: 'name each source with a leading "@" that the site does not use: { "@recent": (value, view) => view.list({ … }).items }',
      result: expectEach(entry),
      isKeyed: true,
    });
    this.#now = () => site.runtime.clock.now();
  }

  /** Takes the sources that all plugins have added. */
  load(): void {
    for (const key of this.#list.keys) {
      const part = this.#list.part(key);
      if (part === undefined) continue;
      // A failed source lists nothing, but only for a while.
      this.all.set(key, (value, view) =>
        part.call(
          (source) => source(value, view),
          () => {
            view.expireAt(this.#now() + FAILED_PART_MS);
            return [];
          },
        ),
      );
    }
  }
}
