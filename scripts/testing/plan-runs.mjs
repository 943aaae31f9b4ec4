import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Hooks that start a server or a browser: their files take longest. */
const servers = /\buse(?:Chromium|Redis|Postgres|S3)\b|\bclusterStores\b/;

/**
 * Divides spec files into runs, one mocha run for each file, longest first, so that no long run is left
 * at the end: files with servers, then those with the longest time limits.
 */
export function planRuns(root, files) {
  const specs = files.map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
  return specs.sort((a, b) => weightOf(b.text) - weightOf(a.text)).map(({ file }) => [file]);
}

/** The longest time limit of a test in the file, in ms; 0 for the default. */
function weightOf(text) {
  const asked = [...text.matchAll(/\btimeout\(([\d_]+)\)/g)];
  const longest = Math.max(0, ...asked.map(([, ms]) => Number(ms.replaceAll("_", ""))));
  return servers.test(text) ? Number.MAX_SAFE_INTEGER : longest;
}
