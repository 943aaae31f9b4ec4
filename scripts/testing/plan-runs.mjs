import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Divides spec files into runs, each a list of files for one mocha run: a file, or all files that
 * start servers, so that each server is started once. `together` may run beside one another, those
 * that ask for much time first, lest a long one is left over at the end; `alone` holds the files that
 * say `// alone: why` (they measure, or need the machine to themselves) and follows when all have ended.
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

/** The longest time that a test of the file asks for, in ms; 0 when the usual one is enough. */
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
