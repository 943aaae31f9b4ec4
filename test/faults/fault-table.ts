// The outcome of the faults as a table.
import { loadavg } from "node:os";
import { machine, table, writeSection } from "../../bench/support/report.js";
import type { Outcome } from "./verdict.js";

/** Characters of a finding in the table. */
const BRIEF = 90;
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
  "If-Match: rounds / one winner / two",
  "Jobs taken over, s",
  "Health: A, B",
  "ok again, s",
  "`doctor`",
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
    seconds(one.backMs, "never"),
    String(one.lost.length),
    String(one.unannounced.length),
    String(one.announcedTwice),
    `${one.contest.rounds} / ${one.contest.won} / ${one.contest.twice.length}`,
    seconds(one.takenOverMs, "-"),
    one.during.health.map((parts) => healthText(parts)).join("; "),
    seconds(one.healthyMs, "never"),
    one.during.doctor === null ? "-" : one.during.doctor.map(brief).join("; ") || "ok",
  ]);
  return table(HEAD, rows);
}

function seconds(ms: number | null, without: string): string {
  return ms === null ? without : (ms / 1000).toFixed(1);
}

/** The parts of health with a problem. */
function healthText(problems: readonly string[] | null): string {
  if (problems === null) return "no response";
  return problems.map((problem) => problem.split(":")[0]).join(", ") || "ok";
}

/** The check of a finding of `doctor`, in the words of the command. */
function brief(finding: string): string {
  const text = finding.replaceAll("|", "/").replaceAll("\n", " ");
  return text.length > BRIEF ? `${text.slice(0, BRIEF)}…` : text;
}

/** What the outcomes are of. */
export interface FaultCircumstances {
  /** Value of `records.store` and `jobs.engine`. */
  readonly records: string;
  readonly nodes: string;
}

/** Writes the section of bench/RESULTS.md for these circumstances. */
export async function writeFaults(
  outcomes: readonly Outcome[],
  { records, nodes }: FaultCircumstances,
): Promise<void> {
  const load = loadavg().map((value) => value.toFixed(1));
  const isMain = records === "files" && nodes === "2";
  const name = isMain ? "faults" : `faults-${records}${nodes === "2" ? "" : `-${nodes}`}`;
  const title = isMain
    ? "## Faults"
    : `### Faults with records and jobs in ${STORES[records] ?? records}, ${nodes} nodes`;
  const command = `\`npm run test:faults -- --records ${records} --nodes ${nodes} --write\``;
  await writeSection(
    name,
    `${title}\n\n${machine()}; load of the machine at the end ${load.join(", ")}. ${command}: ${nodes} nodes on one folder, with a real Redis, PostgreSQL and S3 server, all on this machine. ${ABOUT}\n\n${faultTable(outcomes)}`,
  );
}

const STORES: Readonly<Record<string, string>> = { files: "files", postgres: "PostgreSQL" };
const ABOUT =
  'The nodes send each other changes through PostgreSQL. Each has two readers (one logged in), which ask the other node when there is no response, as behind a balancer, and one writer, which creates pages without a pause for retries; one more writer saves the same version of a page through all nodes at once, with `If-Match`. "s" is the duration of the fault, with that of `doctor`; the longest request includes the wait for a node that does not respond. "Writes again" is the time from the end of the fault until all nodes have confirmed a page. "Lost" are confirmed pages that are missing on disk or on a node 20 s later, "not announced" those without a webhook 20 s after the last delivery. "Jobs taken over" is the time from the end of a killed node until other nodes have repeated the deliveries that were under way on it. Health has the parts with a problem on each node, right before the fault ends. `doctor` has what the command finds beside the usual.';
