/** The files in which systems with folders describe authors. */
import { posix } from "node:path";
import { isRecord } from "#kernel";
import { type AuthorTable, type SourceAuthor, toAuthor } from "../authors.js";
import { readConfigFile } from "../source-files.js";
import { parseJsonMap, parseTomlMap, parseYamlMap } from "./front-matter.js";

/** Tables of authors. */
const TABLE = /(?:^|\/)(?:(?:blog|_?data)\/(?:.*\/)?)?authors\.(?:ya?ml|json|toml)$/;
/** A file for each author. */
const SINGLE = /(?:^|\/)(?:_?data\/authors|user\/accounts)\/([\w.-]+)\.(?:ya?ml|json|toml)$/;
/** An account of Kirby. */
const ACCOUNT = /^site\/accounts\/([\w-]+)\/index\.php$/;
/** Files that the list of a folder leaves out, because their names begin with a dot. */
const HIDDEN = [
  "docs/blog/.authors.yml",
  "docs/.authors.yml",
  "blog/.authors.yml",
  "docs/posts/.authors.yml",
];

/** The authors of a source, and the files that describe them. */
export interface AuthorFiles {
  readonly table: AuthorTable;
  readonly files: ReadonlyMap<string, string>;
}

/** Reads every file of authors below a folder. */
export async function readAuthorFiles(
  root: string,
  paths: readonly string[],
): Promise<AuthorFiles> {
  const table = new Map<string, SourceAuthor>();
  const files = new Map<string, string>();
  const add = (key: string, values: unknown, file: string): void => {
    const author = toAuthor(values, key);
    if (author === null || table.has(key)) return;
    table.set(key, author);
    files.set(key, file);
  };
  for (const file of [...paths.filter(isAuthorFile), ...HIDDEN]) {
    const source = await readConfigFile(root, file);
    if (source === "") continue;
    const single = SINGLE.exec(file)?.[1];
    const account = ACCOUNT.exec(file)?.[1];
    if (account !== undefined) {
      add(
        account,
        { name: /['"]name['"]\s*=>\s*['"]([^'"\n]{1,200})['"]/.exec(source)?.[1] },
        file,
      );
    } else {
      const data = parseFile(source, file);
      if (single !== undefined) add(single, data, file);
      else
        for (const [key, values] of Object.entries(
          isRecord(data["authors"]) ? data["authors"] : data,
        ))
          add(key, values, file);
    }
  }
  return { table, files };
}

/** True for a file that describes authors. */
export function isAuthorFile(path: string): boolean {
  return TABLE.test(path) || SINGLE.test(path) || ACCOUNT.test(path);
}

function parseFile(source: string, file: string): Record<string, unknown> {
  const parse =
    posix.extname(file) === ".toml"
      ? parseTomlMap
      : posix.extname(file) === ".json"
        ? parseJsonMap
        : parseYamlMap;
  const parsed = parse(source);
  return "data" in parsed ? parsed.data : {};
}
