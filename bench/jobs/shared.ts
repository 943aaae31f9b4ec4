// 10,000 jobs that end at once, on one to three nodes that share a PostgreSQL, beside pg-boss alone.
import { spawn } from "node:child_process";
import { loadavg } from "node:os";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startPostgres, type PostgresServer } from "../../scripts/services/postgres.js";
import { machine, runAsScript, writeSection } from "../support/report.js";

const JOBS = 10_000;
const NODES = [1, 2, 3];

async function main(): Promise<void> {
  const postgres = await startPostgres();
  const rows: string[] = [];
  try {
    for (const nodes of NODES) {
      const library = await measure("library", nodes, postgres);
      const site = await measure("site", nodes, postgres);
      const ratio = (site / library).toFixed(2);
      rows.push(`| ${nodes} | ${Math.round(library)} | ${Math.round(site)} | ${ratio} |`);
      console.log(rows.at(-1));
    }
  } finally {
    await postgres.stop();
  }
  const load = loadavg().map((one) => one.toFixed(0));
  await writeSection(
    "shared jobs",
    `## Shared jobs

${machine()}, load ${load.join(", ")}. ${JOBS.toLocaleString("en")} webhook jobs that end at once, from adding the first to the end of the last: 500 keys, four groups of eight at a time. pg-boss alone: a loop of its \`fetch\` and \`complete\` with the same queue policy, groups and planner setting. Jobs per second.

| nodes | pg-boss alone | \`jobs.engine: postgres\` | ratio |
|---|---|---|---|
${rows.join("\n")}
`,
  );
}

/** Jobs per second. */
async function measure(
  kind: "library" | "site",
  count: number,
  postgres: PostgresServer,
): Promise<number> {
  const url = await postgres.createDatabase(`${kind}_${count}`);
  const program = join(import.meta.dirname, "shared-node.ts");
  let left = JOBS;
  let finish = (): void => undefined;
  let fail = (_: Error): void => undefined;
  const done = new Promise<void>((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  const nodes = [];
  // One after the other: the first one creates the schema.
  for (let at = 0; at < count; at += 1) {
    const node = spawn(process.execPath, [...process.execArgv, program, kind, url], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = createInterface({ input: node.stdout });
    await once(lines, "line");
    lines.on("line", (line) => {
      left -= Number(line);
      if (left <= 0) finish();
    });
    node.once("exit", (code) => {
      if (left > 0) fail(new Error(`a node ended with ${code}`));
    });
    nodes.push(node);
  }
  const from = performance.now();
  nodes[0]?.stdin.write("add\n");
  await done;
  const seconds = (performance.now() - from) / 1_000;
  for (const node of nodes) node.kill("SIGKILL");
  return JOBS / seconds;
}

await runAsScript(import.meta.url, main);
