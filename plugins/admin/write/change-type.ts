import { pageStem } from "#lib/text";
import type { PageEntry } from "../../content/contract.js";
import { ownsFolder } from "./page-source.js";
import type { Move } from "./reorder.js";

/** The changes that give a page another type. */
export interface TypeChange {
  /** The page in each of its languages. */
  readonly files: readonly PageEntry[];
  /** Files whose name is the type. */
  readonly moves: readonly Move[];
  /** Keys of the front matter, by the path of their file. */
  readonly patches: readonly (readonly [string, Readonly<Record<string, unknown>>])[];
}

/** Names of files that say nothing about the type of their page. */
const PLAIN = new Set(["index", "_index", "readme"]);

/**
 * The changes that give a page a type in all its languages. The name of the file is the type where it was so far;
 * elsewhere the key `template` is.
 */
export function typeChange(
  entries: readonly PageEntry[],
  entry: PageEntry,
  template: string,
): TypeChange {
  const stem = pageStem(entry.sourcePath, entry.lang);
  const files = entries.filter((one) => pageStem(one.sourcePath, one.lang) === stem);
  const name = stem.slice(stem.lastIndexOf("/") + 1);
  const isNamed = ownsFolder(entry) && !PLAIN.has(name.toLowerCase());
  const moves: Move[] = [];
  const patches: [string, Record<string, unknown>][] = [];
  for (const { sourcePath, frontmatter } of files) {
    const hasKey = frontmatter["template"] !== undefined;
    if (hasKey || !isNamed) {
      const implied = isNamed ? name : "default";
      patches.push([sourcePath, { template: template === implied ? null : template }]);
    } else if (name !== template) {
      const folder = sourcePath.slice(0, sourcePath.lastIndexOf("/") + 1);
      const to = folder + template + sourcePath.slice(folder.length + name.length);
      moves.push({ path: sourcePath, to });
    }
  }
  return { files, moves, patches };
}
