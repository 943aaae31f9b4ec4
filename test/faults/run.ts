// `npm run test:faults [-- --short --only <name,name> --records <files|postgres> --nodes <2|3> --json --write]`: does everything in
// faults.ts to a cluster under load, and prints what visitors and writers saw; `--write` puts it into bench/RESULTS.md.
import { parseArgs } from "node:util";
import { startFaultCluster, type FaultCluster } from "./fault-cluster.js";
import type { Fault } from "./fault.js";
import { faults } from "./faults.js";
import { faultTable, writeFaults } from "./fault-table.js";
import { runFault } from "./run-fault.js";
import { problemsOf, type Outcome } from "./verdict.js";

const FAULT_MS = { short: 3_000, long: 8_000 };
/** Characters of the output of a node. */
const SHOWN = 5_000;

const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    only: { type: "string" },
    records: { type: "string", default: "files" },
    nodes: { type: "string", default: "2" },
    json: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});

async function main(): Promise<void> {
  // Stores, nodes and the disk end with this process.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  const chosen = choose();
  const outcomes: Outcome[] = [];
  const { records, nodes } = values;
  const cluster = await startFaultCluster({ records, count: Number(nodes) });
  try {
    const usual = await cluster.nodes[1].doctor();
    for (const fault of chosen) {
      outcomes.push(await run(cluster, fault, usual));
      if (values.write) await writeFaults(outcomes, { records, nodes });
    }
  } catch (error) {
    for (const { name, output } of cluster.nodes) {
      console.error(`node ${name}:\n${output.slice(-SHOWN)}`);
    }
    throw error;
  } finally {
    await cluster.close();
  }
  console.log(values.json ? JSON.stringify(outcomes, null, 2) : faultTable(outcomes));
  const failed = outcomes.filter((outcome) => problems(outcome).length > 0).length;
  console.log(`${outcomes.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

function choose(): readonly Fault[] {
  const names = values.only?.split(",");
  const unknown = names?.find((name) => !faults.some((fault) => fault.name === name));
  if (unknown !== undefined) {
    throw new Error(`no fault ${unknown}; there are ${faults.map(({ name }) => name).join(", ")}`);
  }
  if (names !== undefined) return faults.filter(({ name }) => names.includes(name));
  return values.short ? faults.filter(({ isShort }) => isShort === true) : faults;
}

async function run(
  cluster: FaultCluster,
  fault: Fault,
  usual: readonly string[],
): Promise<Outcome> {
  const say = (text: string): void =>
    console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);
  const ms = values.short ? FAULT_MS.short : FAULT_MS.long;
  const outcome = await runFault(cluster, fault, { ms, usual, say });
  console.error(`  slowest request: ${outcome.longestRead}`);
  for (const problem of problems(outcome)) console.error(`  ${problem}`);
  return outcome;
}

function problems(outcome: Outcome): readonly string[] {
  const { short, records } = values;
  return problemsOf(outcome, { isTimed: !short, sharesJobs: records === "postgres" });
}

await main();
