// The notices of the packages whose code is part of what we publish: their licences ask for a copy of the text.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const LICENCE_FILE = /^(?:licen[cs]e|copying)/i;
/** Texts beside the licence that have to come along, as Apache-2.0 asks. */
const NOTICE_FILE = /^notice/i;
const RULE = `\n\n${"-".repeat(80)}\n\n`;

/** The folders of packages among bundled files: `path` relative to the root, and the `bytes` of it in the bundle. */
export function bundledFolders(files) {
  const folders = files.flatMap(({ path, bytes }) => {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
    return folder !== undefined && bytes > 0 ? [folder] : [];
  });
  return [...new Set(folders)].sort();
}

/**
 * Name, version, licence, where the code is, and the texts of each package. `parts` is folders by the name of
 * the part. Throws for a package without a text.
 */
export function noticesOf(root, parts) {
  const folders = new Map();
  for (const [part, list] of Object.entries(parts)) {
    for (const folder of list) folders.set(folder, [...(folders.get(folder) ?? []), part]);
  }
  return [...folders]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([folder, names]) => notice(join(root, folder), names))
    .join(RULE)
    .concat("\n");
}

function notice(folder, parts) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter(
    (file) => LICENCE_FILE.test(file) || NOTICE_FILE.test(file),
  );
  if (!files.some((file) => LICENCE_FILE.test(file))) {
    throw new Error(
      `${folder}: no file with the licence of ${name}, which is part of the ${parts[0]}`,
    );
  }
  const texts = files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim());
  return [`${name} ${version} (${license}), in: ${parts.join(", ")}`, ...texts].join("\n\n");
}
