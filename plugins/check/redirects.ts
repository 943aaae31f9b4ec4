/** `redirects` of site.yaml: one step from any old address to the page's current one. */
import { isRecord } from "#kernel";
import { configValues, setYamlKey, setYamlKeys } from "#kernel/internal";

/** Old address to new address. */
export type Redirects = Readonly<Record<string, string>>;
/** Old address to new address; null removes the redirect. */
export type RedirectChanges = Readonly<Record<string, string | null>>;

/** One spelling for all keys that are the same address; see `ContentAddresses.redirectKey`. */
export type KeyOf = (address: string) => string;

/** Adds redirects: old ones point to the new address, and no existing page redirects away. */
export function addRedirects(
  known: Redirects,
  added: Redirects,
  keyOf: KeyOf,
): Record<string, string> {
  // By address; each with its spelling in site.yaml.
  const result = new Map<string, { from: string; to: string; target: string }>();
  for (const [from, to] of Object.entries(known))
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

/** What turns one map of redirects into another: null removes a redirect. */
export function redirectChanges(before: Redirects, after: Redirects): RedirectChanges {
  const removed = Object.keys(before).filter((from) => !Object.hasOwn(after, from));
  const set = Object.entries(after).filter(([from, to]) => before[from] !== to);
  return Object.fromEntries([...removed.map((from) => [from, null] as const), ...set]);
}

/** Redirects with changes applied. */
export function changedRedirects(before: Redirects, changes: RedirectChanges): Redirects {
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
export function withChanges(text: string, changes: RedirectChanges): string {
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
