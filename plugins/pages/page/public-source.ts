import type { Page } from "../../content/contract.js";

/** True for private keys of front matter. */
export function isPrivateKey(key: string): boolean {
  return key.startsWith("_");
}

const FENCED = /^(\ufeff?---[ \t]*\r?\n)([^]*?)(---[ \t]*\r?\n?)$/;
const MAY_BE_PRIVATE = /(?:^|[\s"'{,?])_/;

/**
 * The source of a page without the private keys of its front matter. A source that cannot be split
 * (a TSX page) is not shown.
 */
export async function publicSource({ entry, raw, body }: Page): Promise<string> {
  const head = raw.endsWith(body) ? raw.slice(0, raw.length - body.length) : raw;
  const hasPrivate = Object.keys(entry.frontmatter).some(isPrivateKey);
  if (!hasPrivate && !MAY_BE_PRIVATE.test(head)) return raw;
  const [, open, yaml, close] = FENCED.exec(head) ?? [];
  if (open === undefined || yaml === undefined || close === undefined) return hasPrivate ? "" : raw;
  return open + (await withoutPrivateKeys(yaml)) + close + body;
}

/** Removes whole lines, so that all others are unchanged. */
async function withoutPrivateKeys(yaml: string): Promise<string> {
  const { isMap, isScalar, parseDocument } = await import("yaml");
  const document = parseDocument(yaml, { logLevel: "silent" });
  const { contents } = document;
  if (!isMap(contents)) return yaml;
  const keys = contents.items.map(({ key }) =>
    isScalar(key) ? { name: String(key.value), at: key.range?.[0] ?? 0 } : { name: "", at: 0 },
  );
  if (!keys.some(({ name }) => isPrivateKey(name))) return yaml;
  if (contents.flow === true) {
    for (const { name } of keys) if (isPrivateKey(name)) document.delete(name);
    return document.toString();
  }
  const starts = keys.map(({ at }) => yaml.lastIndexOf("\n", at - 1) + 1);
  const kept = keys.map(({ name }, at) =>
    isPrivateKey(name) ? "" : yaml.slice(starts[at], starts[at + 1] ?? yaml.length),
  );
  return yaml.slice(0, starts[0]) + kept.join("");
}
