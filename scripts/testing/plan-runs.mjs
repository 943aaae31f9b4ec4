import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Hooks that start a server or a browser: their files take longest. */
const servers = /\buse(?:Chromium|Redis|Postgres|S3)\b/;
/** Tests of git start hundreds of programs: a start takes longer, the more memory the test process uses by then. */
const git = /\bgit_(?:commit|sync)\b|\bgit-(?:commits|remote)\b/;
/** A test that may take longer, in ms, starts processes, installs packages or repeats a race. */
const SLOW_MS = 60_000;

/** The files that start no server and set no time limit of more than a minute. */
export function quickFiles(root, files) {
  return files.filter((file) => weightOf(root, file) <= SLOW_MS);
}

/**
 * Divides spec files into runs, one mocha run for each file, longest first, so that no long run is left
 * at the end: files with git, those with servers, then those with the longest time limits.
 */
export function planRuns(root, files) {
  const weights = new Map(files.map((file) => [file, weightOf(root, file)]));
  const heaviest = files.toSorted((a, b) => weights.get(b) - weights.get(a));
  const startsMany = heaviest.filter((file) => git.test(textOf(root, file)));
  return [...new Set([...startsMany, ...heaviest])].map((file) => [file]);
}

/** The longest time limit of a test in the file, in ms; 0 for the default, Infinity with servers. */
function weightOf(root, file) {
  const text = textOf(root, file);
  const limits = [...text.matchAll(/\btimeout\(([\d_]+)\)/g)];
  const longest = Math.max(0, ...limits.map(([, ms]) => Number(ms.replaceAll("_", ""))));
  return servers.test(text) ? Infinity : longest;
}

function textOf(root, file) {
  return readFileSync(join(root, file), "utf8");
}
