import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Hooks that start a server or a browser for the whole run: files of one line share a run. */
const servers = [/\buseChromium\b/, /\buse(?:Redis|Postgres|S3)\b|\bclusterStores\b/];

/**
 * Divides spec files into runs, each a list of files for one mocha run: a file, or all files that
 * start the same servers, so that each server is started once. Longest time limits first, so that no
 * long run is left at the end.
 */
export function planRuns(root, files) {
  const specs = files.map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
  const serverOf = ({ text }) => servers.findLast((pattern) => pattern.test(text));
  const shared = servers.map((server) => specs.filter((spec) => serverOf(spec) === server));
  const others = specs
    .filter((spec) => serverOf(spec) === undefined)
    .sort((a, b) => patienceOf(b.text) - patienceOf(a.text));
  const runs = [...shared, ...others.map((spec) => [spec])];
  return runs.map((run) => run.map(({ file }) => file)).filter((run) => run.length > 0);
}

/** The longest time limit of a test in the file, in ms; 0 for the default. */
function patienceOf(text) {
  const asked = [...text.matchAll(/\btimeout\(([\d_]+)\)/g)];
  return Math.max(0, ...asked.map(([, ms]) => Number(ms.replaceAll("_", ""))));
}
