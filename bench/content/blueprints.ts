/** Blueprints: what they add to a start, and what checking every page against them costs. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bootWithoutPort } from "#kernel";
import type {} from "../../plugins/content/contract.js";
import { writeContent } from "../support/content-files.js";
import { machine, median, runAsScript, short, table, writeSection } from "../support/report.js";

const PAGES = Number(process.env["BENCH_PAGES"] ?? 10_000);
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 5);
const FIELDS = [
  "title: { type: text, required: true }",
  "date: { type: date }",
  "taxonomy: { type: object, fields: { tag: { type: tags } } }",
  "metadata: { type: object, fields: { description: { type: text, validate: { max: 300 } } } }",
  ...Array.from({ length: 6 }, (_, at) => `own${at}: { type: number, default: ${at} }`),
];

type Times = Record<"cold" | "warm" | "check" | "again", number>;

/** CPU time of this process in ms. */
async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function measure(root: string): Promise<Times> {
  const firstParty = new URL("../../plugins/main.ts", import.meta.url).href;
  rmSync(join(root, ".dune"), { recursive: true, force: true });
  const cold = await cpuOf(async () => (await bootWithoutPort({ root, firstParty })).close());
  const opened: Awaited<ReturnType<typeof bootWithoutPort>>[] = [];
  const warm = await cpuOf(
    async () => void opened.push(await bootWithoutPort({ root, firstParty })),
  );
  const [site] = opened;
  if (site === undefined) throw new Error("the site did not open");
  const content = site.context("bench").use("content");
  const { entries } = content.generation();
  const checkAll = async (): Promise<void> => {
    for (const entry of entries) await content.blueprints.violations(entry);
  };
  const [check, again] = [await cpuOf(checkAll), await cpuOf(checkAll)];
  await site.close();
  return { cold, warm, check, again };
}

/** Writes the section `blueprints` of RESULTS.md. */
export async function run(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "site-bench-"));
  try {
    writeContent(root, PAGES);
    const folder = join(root, "blueprints");
    const text = `fields:\n${FIELDS.map((field) => `  ${field}\n`).join("")}`;
    const free: Times[] = [];
    const typed: Times[] = [];
    // Rounds alternate, so that both kinds meet the same state of the machine; the first loads modules.
    for (let round = 0; round <= ROUNDS; round += 1) {
      rmSync(folder, { recursive: true, force: true });
      const one = await measure(root);
      mkdirSync(folder);
      writeFileSync(join(folder, "default.yaml"), text);
      const other = await measure(root);
      if (round === 0) continue;
      free.push(one);
      typed.push(other);
    }
    const of = (times: readonly Times[], name: keyof Times): number =>
      median(times.map((one) => one[name]));
    const base = { cold: of(free, "cold"), warm: of(free, "warm") };
    const row = (name: string, value: number, floor: number): string[] => [
      name,
      short(value),
      `${short(value / floor)}×`,
    ];
    const rows = [
      ["cold start, without blueprints", short(base.cold), "1×"],
      row("cold start, with a blueprint of 10 fields", of(typed, "cold"), base.cold),
      ["warm start, without blueprints", short(base.warm), "1×"],
      row("warm start, with it", of(typed, "warm"), base.warm),
      row("checking every page once, of a cold start", of(typed, "check"), base.cold),
      row("checking every page again", of(typed, "again"), base.cold),
    ];
    const head = ["", "CPU ms", "ratio"];
    const about = `## Blueprints\n\n${machine()}. ${PAGES} pages, median of ${ROUNDS}. Rounds with and without it alternate; the machine was shared. Nothing checks pages at a start; \`content:check\` and saving do.`;
    await writeSection("blueprints", `${about}\n\n${table(head, rows)}`);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

await runAsScript(import.meta.url, run);
