// `npm run soak:memory [-- --rounds 12 --seconds 20 --connections 100 --snapshots]`: load in rounds without pauses. After
// each round garbage is collected, and what is left is printed: a leak grows with each round, a cache up to its limit.
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Editor } from "./editors.js";
import { intervalShape } from "./interval.js";
import { MemoryProbe } from "./memory-in-use.js";
import { startSoakSite } from "./soak-site.js";

const readers = fileURLToPath(new URL("readers.ts", import.meta.url));
const MB = 1_048_576;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "12" },
    seconds: { type: "string", default: "20" },
    connections: { type: "string", default: "100" },
    snapshots: { type: "boolean", default: false },
    edits: { type: "boolean", default: true },
    reads: { type: "boolean", default: true },
  },
  allowNegative: true,
});

const probe = new MemoryProbe({ snapshots: values.snapshots });

/** One round of load; resolves with requests and changes. */
async function load(site: { url: string; bareUrl: string }): Promise<Map<string, number>> {
  const editor = new Editor(site.url, { pauseMs: 0 });
  const connections = values.reads ? Number(values.connections) : 0;
  const visitors = fork(readers, { execArgv: ["--import=tsx", "--conditions=source"] });
  let requests = 0;
  visitors.on("message", (message) => (requests += intervalShape.parse(message).requests));
  visitors.send({ url: site.url, bareUrl: site.bareUrl, connections, rate: null });
  if (values.edits) await editor.start();
  await delay(Number(values.seconds) * 1_000);
  await editor.stop();
  visitors.kill("SIGKILL");
  await once(visitors, "exit");
  return new Map([["requests", requests], ...editor.counts]);
}

async function main(): Promise<void> {
  const site = await startSoakSite({ command: probe.command });
  process.once("SIGINT", () => process.exit(1));
  try {
    console.log("| round | resident | heap used | heap total | external | array buffers | load |");
    console.log("| --- | --- | --- | --- | --- | --- | --- |");
    for (let round = 0; round <= Number(values.rounds); round += 1) {
      const counts = round === 0 ? new Map<string, number>() : await load(site);
      // Connections close, and what waits for a moment runs.
      await delay(8_000);
      const { rss, heapUsed, heapTotal, external, arrayBuffers } = await probe.collect(site.pid);
      const sizes = [rss, heapUsed, heapTotal, external, arrayBuffers];
      const loaded = [...counts].map(([name, count]) => `${count} ${name}`).join(", ");
      console.log(
        `| ${[round, ...sizes.map((size) => (size / MB).toFixed(1)), loaded].join(" | ")} |`,
      );
    }
  } finally {
    await site.stop();
    if (values.snapshots) console.log(`snapshots: ${probe.folder}`);
    else probe.remove();
  }
}

await main();
