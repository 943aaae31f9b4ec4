import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Divides spec files into runs, each a list of files for one mocha run: a file, or all files that
 * start servers, so that each server is started once. Longest time limits first, so that no long run
 * is left at the end.
 */
export function planRuns(root, files) {
  const specs = files.map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
  const startsServer = ({ text }) => /\buse(?:Redis|Postgres|Chromium|Sqlite)\b/.test(text);
  const others = specs
    .filter((spec) => !startsServer(spec))
    .sort((a, b) => patienceOf(b.text) - patienceOf(a.text));
  const runs = [specs.filter(startsServer), ...others.map((spec) => [spec])];
  return runs.map((run) => run.map(({ file }) => file)).filter((run) => run.length > 0);
}

/** The longest time limit of a test in the file, in ms; 0 for the default. */
function patienceOf(text) {
  const asked = [...text.matchAll(/\btimeout\(([\d_]+)\)/g)];
  return Math.max(0, ...asked.map(([, ms]) => Number(ms.replaceAll("_", ""))));
}
