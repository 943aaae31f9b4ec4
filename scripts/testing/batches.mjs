import { readFileSync } from "node:fs";
import { join } from "node:path";

// A process loads and warms up the sources for all its files: few batches. More than there are cores,
// dealt like cards, so that the cores end at about the same time.
const batchesPerCore = 3;

/**
 * Divides spec files into batches, each run by a process of its own. `together` may run beside one
 * another; `alone` holds the files that say `// alone: why` (they measure, or freeze clocks of the
 * machine), run one batch after the other at the end. Files that start servers share a batch, so
 * that a server is started once.
 */
export function planBatches(root, files, cores) {
  const kinds = { plain: [], services: [], alone: [] };
  for (const file of files) kinds[kindOf(readFileSync(join(root, file), "utf8"))].push(file);
  return {
    together: [...deal(kinds.services, 1), ...deal(kinds.plain, cores * batchesPerCore - 1)],
    alone: deal(kinds.alone, 1),
  };
}

function kindOf(text) {
  if (/^\/\/ alone: /m.test(text)) return "alone";
  return /\buse(?:Redis|Postgres|Chromium|Sqlite)\b/.test(text) ? "services" : "plain";
}

function deal(files, count) {
  const hands = Array.from({ length: count }, (_, at) =>
    files.filter((_file, n) => n % count === at),
  );
  return hands.filter((hand) => hand.length > 0);
}
