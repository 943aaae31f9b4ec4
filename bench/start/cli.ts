/**
 * The command line and the start of a small site beside those of others, in one run: `npm run bench -- cli`.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { cacheFolder } from "../../scripts/services/cache-folder.js";
import { installOurs, installPeer, measure, writeInto, type Cost } from "../support/programs.js";
import { machine, median, runAsScript, short, table, writeSection } from "../support/report.js";
import { startUntilReady } from "./start-process.js";

const ROUNDS = 3;
const PAGES = 7;

/** A measured command. */
interface Measured {
  readonly name: string;
  /** Runs it once. `rss` in MB, of a server. */
  run(): Cost | Promise<Cost & { readonly rss?: number }>;
  /** The largest share of the CPU of `vite --version` that is wanted, or null. */
  readonly share: number | null;
}

/** Measures each Node that is here and writes the section `cli`. */
export async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "site-bench-cli-"));
  try {
    const bin = installOurs(folder);
    const root = join(folder, "site");
    writeInto(root, "site.yaml", "title: Seven pages\nurl: http://localhost:8000\n");
    writeInto(root, "content/index.md", "# Home\n\nWelcome.\n");
    for (let at = 1; at < PAGES; at += 1) {
      writeInto(root, `content/page-${at}.md`, `# Page ${at}\n\nText of page ${at}.\n`);
    }
    const parts: string[] = [];
    for (const node of nodes()) parts.push(await measureNode(node, bin, root));
    await writeSection(
      "cli",
      `## Command line\n\n${machine()}, load of the machine at the end ${loadavg().map(short).join(", ")}. CPU is user and system time of the process to its end, medians of ${ROUNDS} interleaved rounds after one that is not counted, as installed, in a site of ${PAGES} pages; \`serve\` until \`/health/ready\` responds 200. Ratios are to \`vite --version\` of the same run.\n\n${parts.join("\n\n")}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** This Node, and Node 22 when `scripts/node-versions.ts` has installed it. */
function nodes(): string[] {
  const name = `node-${process.platform}-${process.arch}`;
  const others = ["22"].map((line) =>
    join(
      cacheFolder("node"),
      `${line}-${process.platform}-${process.arch}`,
      "node_modules",
      name,
      "bin/node",
    ),
  );
  return [process.execPath, ...others.filter((file) => existsSync(file))];
}

async function measureNode(node: string, bin: string, root: string): Promise<string> {
  const measured = commands(node, bin, root);
  const costs = new Map(measured.map(({ name }) => [name, [] as (Cost & { rss?: number })[]]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { name, run } of measured) {
      const cost = await run();
      // The first round fills the compile cache of Node.
      if (round > 0) costs.get(name)?.push(cost);
    }
  }
  const cpuOf = (name: string): number => median((costs.get(name) ?? []).map(({ cpu }) => cpu));
  const base = measured.find(({ name }) => name.startsWith("vite"));
  const rows = measured.map(({ name, share }) => {
    const rss = (costs.get(name) ?? []).flatMap((cost) => cost.rss ?? []);
    return [
      name,
      short(cpuOf(name)),
      base === undefined ? "-" : `${short(cpuOf(name) / cpuOf(base.name))}×`,
      share === null ? "" : `≤ ${share}×`,
      rss.length === 0 ? "" : short(median(rss)),
    ];
  });
  const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  console.log(rows.map((row) => `  ${row.join("  ")}`).join("\n"));
  const head = ["command", "CPU s", "of vite", "wanted", "RSS MB"];
  return `Node ${stdout.trim()}:\n\n${table(head, rows)}`;
}

function commands(node: string, bin: string, root: string): Measured[] {
  const site = (words: readonly string[], share: number | null): Measured => ({
    name: `site ${words.join(" ")}`,
    share,
    run: () => measure([node, bin, ...words], root).cost,
  });
  return [
    ...peer(node, { name: "vite", spec: "vite@latest", program: "bin/vite.js", id: "vite" }, root),
    ...peer(
      node,
      {
        name: "eleventy",
        spec: "@11ty/eleventy@3.0.0",
        program: "cmd.cjs",
        id: "@11ty/eleventy",
      },
      root,
    ),
    site(["--version"], 0.5),
    site(["--help"], 0.5),
    site(["content:list", "--help"], 0.5),
    site(["config:validate"], 1),
    site(["content:list"], 1),
    {
      name: "site serve",
      share: null,
      run: async () => {
        const started = await startUntilReady(
          (port) => [bin, "serve", "--root", root, "--port", String(port)],
          "/health/ready",
          {},
          node,
        );
        const rss = started.rss();
        await started.stop();
        return { wall: started.ms / 1_000, cpu: started.cpuMs / 1_000, rss };
      },
    },
  ];
}

/** `--version` of another program; nothing when it cannot be installed. */
function peer(
  node: string,
  { name, spec, program, id }: Readonly<Record<"name" | "spec" | "program" | "id", string>>,
  root: string,
): Measured[] {
  const { folder, missing } = installPeer(name, spec);
  if (missing !== null) {
    console.log(missing);
    return [];
  }
  const own = join(folder, "node_modules", id);
  const { version } = JSON.parse(readFileSync(join(own, "package.json"), "utf8")) as {
    version: string;
  };
  return [
    {
      name: `${name} --version (${version})`,
      share: null,
      run: () => measure([node, join(own, program), "--version"], root).cost,
    },
  ];
}

await runAsScript(import.meta.url, main);
