/** `redirects` of site.yaml: one step from any old address to the page's current one. */
import { isMap } from "yaml";
import { formatConfig, parseConfig } from "#kernel/internal";

type Redirects = Readonly<Record<string, string>>;

/** Adds redirects: old ones point to the new address, and no existing page redirects away. */
export function addRedirects(known: Redirects, added: Redirects): Record<string, string> {
  const result = new Map(Object.entries(known));
  for (const [from, to] of Object.entries(added)) {
    if (from === to) continue;
    result.delete(to);
    for (const [other, target] of result) if (target === from) result.set(other, to);
    result.set(from, to);
  }
  for (const [from, to] of result) if (from === to) result.delete(from);
  return Object.fromEntries(result);
}

/**
 * The text of site.yaml with redirects added; keeps comments and the order of keys.
 * @throws ERR_CONFIG_KEY when it cannot be parsed.
 */
export function withRedirects(text: string, added: Redirects): string {
  const document = parseConfig(text);
  const section = document.get("redirects");
  const before: Record<string, string> = {};
  if (isMap(section)) {
    for (const [from, to] of Object.entries(section.toJSON())) before[from] = String(to);
  }
  const after = addRedirects(before, added);
  for (const from of Object.keys(before)) {
    if (!Object.hasOwn(after, from)) document.deleteIn(["redirects", from]);
  }
  if (!isMap(section)) document.set("redirects", document.createNode({}));
  for (const [from, to] of Object.entries(after)) {
    if (before[from] !== to) document.setIn(["redirects", from], to);
  }
  return formatConfig(document, text);
}
