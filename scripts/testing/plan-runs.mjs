import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Divides spec files into runs, each a list of files for one mocha run: a file, or all files that
 * start servers, so that each server is started once. `together` may run in parallel, longest time
 * limits first, so that no long run is left at the end; `alone` contains the files with a comment
 * `// alone: why` (they measure, or need the whole machine), which run afterwards.
 */
export function planRuns(root, files) {
  const specs = files.map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
  const ofKind = (kind) => specs.filter(({ text }) => kindOf(text) === kind);
  const byPatience = ofKind("plain").sort((a, b) => patienceOf(b.text) - patienceOf(a.text));
  return {
    together: [ofKind("services"), ...byPatience.map((spec) => [spec])].map(names).filter(hasFiles),
    alone: [ofKind("alone")].map(names).filter(hasFiles),
  };
}

function kindOf(text) {
  if (/^\/\/ alone: /m.test(text)) return "alone";
  return /\buse(?:Redis|Postgres|Chromium|Sqlite)\b/.test(text) ? "services" : "plain";
}

/** The longest time limit of a test in the file, in ms; 0 for the default. */
function patienceOf(text) {
  const asked = [...text.matchAll(/\btimeout\(([\d_]+)\)/g)];
  return Math.max(0, ...asked.map(([, ms]) => Number(ms.replaceAll("_", ""))));
}

function names(specs) {
  return specs.map(({ file }) => file);
}

function hasFiles(run) {
  return run.length > 0;
}
