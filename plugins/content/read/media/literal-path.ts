/** Names on disk for names in another form of Unicode. */
import { join } from "node:path";
import { namesIn } from "../names-in.js";

// oxlint-disable-next-line no-control-regex -- plain names have one form only
const PLAIN = /^[\u0000-\u007f]*$/;

/**
 * The path below `root` of a file whose names are written in another normal form: macOS decomposes `é`. Null when
 * no file is meant, or two are.
 */
export async function literalPath(root: string, path: string): Promise<string | null> {
  if (PLAIN.test(path)) return null;
  const found: string[] = [];
  for (const name of path.split("/")) {
    const literal = PLAIN.test(name) ? name : await literalName(join(root, ...found), name);
    if (literal === null) return null;
    found.push(literal);
  }
  return found.join("/");
}

async function literalName(directory: string, name: string): Promise<string | null> {
  const names = await namesIn(directory);
  if (names.includes(name)) return name;
  const same = names.filter((other) => other.normalize("NFC") === name.normalize("NFC"));
  return same.length === 1 ? (same[0] ?? null) : null;
}
