/**
 * What the syntax beyond CommonMark and GFM costs: CPU time of rendering every page of the documentation without
 * a cache, with all switches on and off. Formulas and colours of code are measured apart.
 */
import { readdir, readFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { CodeHighlighter } from "../../plugins/markdown/render/highlight-code.js";
import { parseMarkdownBody } from "../../plugins/markdown/render/pipeline.js";
import type { SyntaxSettings } from "../../plugins/markdown/contract.js";
import { loadSyntax, neededSwitches } from "../../plugins/markdown/syntax/switches.js";
import { allSyntax, noSyntax, plainOptions } from "../../test/support/content/render-markdown.js";
import { machine, median, runAsScript, short, table, writeSection } from "../support/report.js";

const ROUNDS = 7;
const FORMULAS =
  "The area is $\\pi r^2$.\n\n$$\n\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2}\n$$\n".repeat(10);
const CASES: Readonly<Record<string, SyntaxSettings>> = {
  off: noSyntax,
  "all but colours and formulas": { ...allSyntax, highlight: false, math: false },
  "and colours": { ...allSyntax, math: false },
};

type Render = (source: string, switches: SyntaxSettings) => Promise<void>;

async function renderer(): Promise<Render> {
  const highlighter = await CodeHighlighter.create();
  return async (source, switches) => {
    const syntax = neededSwitches(source, switches);
    const draft = parseMarkdownBody(
      source,
      { ...plainOptions, lang: "en", syntax },
      await loadSyntax(syntax),
    );
    if (draft.languages !== null) await highlighter.load(draft.languages);
    const highlight = draft.languages === null ? undefined : highlighter.highlight;
    draft.finish(new Map(), highlight);
  };
}

/** CPU time of rendering the texts, in ms. */
async function cost(
  render: Render,
  texts: readonly string[],
  switches: SyntaxSettings,
): Promise<number> {
  const before = process.cpuUsage();
  for (const text of texts) await render(text, switches);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function run(): Promise<void> {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const names = await readdir(`${root}/content`, { recursive: true });
  const files = names.filter((name) => name.endsWith(".md"));
  const raw = await Promise.all(files.map((file) => readFile(`${root}/content/${file}`, "utf8")));
  const texts = raw.map((text) => text.replace(/^---\n[\s\S]*?\n---\n/, ""));
  const render = await renderer();
  const costs = new Map(Object.keys(CASES).map((name) => [name, new Array<number>()]));
  const formulas: number[] = [];
  // The first round loads grammars and compiles code.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, switches] of Object.entries(CASES)) {
      const ms = await cost(render, texts, switches);
      if (round > 0) costs.get(name)?.push(ms);
    }
    const ms = await cost(render, [FORMULAS], allSyntax);
    if (round > 0) formulas.push(ms);
  }
  const base = median(costs.get("off") ?? []);
  const rows = [...costs].map(([name, all]) => {
    const ms = median(all);
    return [name, short(ms / texts.length), `${short(ms / base)}×`];
  });
  rows.push(["20 formulas alone", short(median(formulas)), "-"]);
  const about = `${machine()}, load ${loadavg().map(short).join(", ")}. ${texts.length} pages of the documentation, rendered without a cache; CPU time, medians of ${ROUNDS} rounds, interleaved. A site renders a text once: the result is cached by its content.`;
  const head = ["switches that are on", "ms of CPU per page", ": off"];
  await writeSection("markdown", `## Markdown\n\n${about}\n\n${table(head, rows)}`);
}

await runAsScript(import.meta.url, run);
