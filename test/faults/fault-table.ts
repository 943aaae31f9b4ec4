// The outcome of the faults as a table.
import { loadavg } from "node:os";
import { machine, table, writeSection } from "../../bench/support/report.js";
import type { Outcome } from "./verdict.js";

const HEAD = [
  "Fault",
  "s",
  "Reads",
  "Failed",
  "Longest, ms",
  "Writes: done / 503 / no response",
  "Writes again after, s",
  "Lost",
  "Not announced",
  "Announced twice",
];

/** One row per fault. */
export function faultTable(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map((one) => [
    one.fault.title,
    one.seconds.toFixed(0),
    String(one.reads),
    String(one.failedReads.length),
    one.longestReadMs.toFixed(0),
    `${one.confirmed} / ${one.refused} / ${one.unanswered}`,
    one.backMs === null ? "never" : (one.backMs / 1000).toFixed(1),
    String(one.lost.length),
    String(one.unannounced.length),
    String(one.announcedTwice),
  ]);
  return table(HEAD, rows);
}

/** Writes the section `faults` of bench/RESULTS.md, or `faults-postgres` for records in PostgreSQL. */
export async function writeFaults(outcomes: readonly Outcome[], records: string): Promise<void> {
  if (records === "postgres") return writeFaultsOfRecords(outcomes);
  const load = loadavg().map((value) => value.toFixed(1));
  await writeSection(
    "faults",
    `## Faults\n\n${machine()}; load of the machine at the end ${load.join(", ")}. \`npm run test:faults -- --write\`: two nodes on one folder, with a real Redis, PostgreSQL and S3 server, all on this machine. Each node has two readers (one logged in), which ask the other node when there is no response, as behind a balancer, and one writer, which creates pages without a pause for retries. "s" is the duration of the fault; the longest request includes the wait for a node that does not respond. "Writes again" is the time from the end of the fault until both nodes have confirmed a page. "Lost" are confirmed pages that are missing on disk or on a node 20 s later, "not announced" those without a webhook.\n\n${faultTable(outcomes)}`,
  );
}

async function writeFaultsOfRecords(outcomes: readonly Outcome[]): Promise<void> {
  const load = loadavg().map((value) => value.toFixed(1));
  await writeSection(
    "faults-postgres",
    `### Faults with \`records: postgres\`\n\n${machine()}; load of the machine at the end ${load.join(", ")}. \`npm run test:faults -- --records postgres --write\`: as above, with tokens, logs and the journal of changes in PostgreSQL too.\n\n${faultTable(outcomes)}`,
  );
}
