import { z } from "zod";
import { type ChangeBatch, isRecord, type SiteContext } from "#kernel";
import { configValues, setYamlKey, setYamlKeys } from "#lib/yaml";
import type { RedirectChangeOptions, RedirectSource } from "./contract.js";

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

  /** Adds those of moves, in their order, with one change of site.yaml. They act even if it cannot be written. */
  readonly add = async (moves: readonly MovedAddresses[]): Promise<void> => {
    const all = moves.filter(({ added }) => Object.keys(added).length > 0);
    if (all.length === 0) return;
    const toKey = (address: string) => this.#site.use("content").addresses.redirectKey(address);
    const after = all.reduce(
      (current, { added }) => addRedirects(current, added, toKey),
      this.#current,
    );
    this.#announce(redirectChanges(this.#current, after));
    try {
      await this.#site.configFiles.edit("site", ({ text }) =>
        all.reduce((next, { added }) => withRedirects(next, added, toKey), text),
      );
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#site.log.error("check.redirects_failed", { error: message });
      for (const { failed } of all)
        failed(`the redirects are lost at the next restart: ${message}`);
    }
  };

  async change(changes: RedirectChanges, options: RedirectChangeOptions = {}): Promise<string> {
    const { hash } = await this.#site.configFiles.edit(
      "site",
      ({ text }) => withChanges(text, changes),
      options,
    );
    this.#announce(changes);
    return hash;
  }

  /** Notifies every node, this one included, and drops the responses that were made with the old ones. */
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

/** The redirects of one move. */
interface MovedAddresses {
  readonly added: Redirects;
  /** Called with the reason why they could not be written. */
  failed(error: string): void;
}
/** Old address to new address. */
type Redirects = Readonly<Record<string, string>>;
/** Old address to new address; null removes the redirect. */
type RedirectChanges = Readonly<Record<string, string | null>>;

/** One spelling for all keys that are the same address; see `ContentAddresses.redirectKey`. */
type KeyOf = (address: string) => string;

/**
 * Adds redirects. One step leads from any old address to the current one: old redirects point to the new
 * address, and no existing page redirects away.
 */
export function addRedirects(
  existing: Redirects,
  added: Redirects,
  keyOf: KeyOf,
): Record<string, string> {
  // By address; each with its spelling in site.yaml.
  const result = new Map<string, { from: string; to: string; target: string }>();
  for (const [from, to] of Object.entries(existing))
    result.set(keyOf(from), { from, to, target: keyOf(to) });
  for (const [from, to] of Object.entries(added)) {
    const [old, now] = [keyOf(from), keyOf(to)];
    if (old === now) continue;
    result.delete(now);
    for (const one of result.values())
      if (one.target === old) Object.assign(one, { to, target: now });
    result.set(old, { from: result.get(old)?.from ?? from, to, target: now });
  }
  for (const [key, { target }] of result) if (key === target) result.delete(key);
  return Object.fromEntries([...result.values()].map(({ from, to }) => [from, to]));
}

/** The changes that turn one map of redirects into another: null removes a redirect. */
function redirectChanges(before: Redirects, after: Redirects): RedirectChanges {
  const removed = Object.keys(before).filter((from) => !Object.hasOwn(after, from));
  const set = Object.entries(after).filter(([from, to]) => before[from] !== to);
  return Object.fromEntries([...removed.map((from) => [from, null] as const), ...set]);
}

/** Redirects with changes applied. */
function changedRedirects(before: Redirects, changes: RedirectChanges): Redirects {
  const all: [string, string | null][] = Object.entries({ ...before, ...changes });
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== null));
}

/** The redirects that the text of a site.yaml has. @throws ERR_CONFIG_KEY when it cannot be parsed. */
function redirectsIn(text: string): Redirects {
  const section = configValues(text).redirects;
  if (!isRecord(section)) return {};
  return Object.fromEntries(Object.entries(section).map(([from, to]) => [from, String(to)]));
}

/**
 * The text of site.yaml with changed redirects; everything else stays byte for byte.
 * @throws ERR_CONFIG_KEY when it cannot be parsed.
 */
function withChanges(text: string, changes: RedirectChanges): string {
  const section = configValues(text).redirects ?? {};
  if (!isRecord(section)) {
    // A value that is not a map cannot have keys.
    const added = Object.entries(changes).filter(([, to]) => to !== null);
    return setYamlKey(text, ["redirects"], Object.fromEntries(added));
  }
  return setYamlKeys(
    text,
    Object.entries(changes).map(([from, to]) => ({
      path: ["redirects", from],
      value: to ?? undefined,
    })),
  );
}

/** The text of site.yaml with redirects added. @throws ERR_CONFIG_KEY when it cannot be parsed. */
export function withRedirects(text: string, added: Redirects, keyOf: KeyOf): string {
  const before = redirectsIn(text);
  return withChanges(text, redirectChanges(before, addRedirects(before, added, keyOf)));
}
