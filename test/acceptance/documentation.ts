/** The code blocks of README.md and of the pages in content/, as a reader copies them. */
import { textOf } from "../support/repository.js";

/** A fenced block of code. */
export interface Block {
  page: string;
  /** Of its fence, counted from 1. */
  line: number;
  language: string;
  /** The file that the page names for it, or "". */
  title: string;
  text: string;
  /** The JSON or text that the page shows right below a block as what it prints, or "". */
  output: string;
}

const SHELL: readonly string[] = ["sh", "bash", "console", "shell"];

/** True for a block of commands. */
export const isShell = ({ language }: Block): boolean => SHELL.includes(language);

const FENCE = /^(`{3,})(\w*)([^\n]*)\n([\s\S]*?)^\1$/gm;

/** Right below a block. */
const OUTPUT = /^\n\n```(?:json|text)\n([\s\S]*?)\n```\n/;

/** All blocks of a page, in order; blocks inside a longer fence belong to it. */
export function blocksOf(page: string): Block[] {
  const text = textOf(page);
  return [...text.matchAll(FENCE)].map(
    ({ index, 0: fence, 2: language = "", 3: info = "", 4: code = "" }) => ({
      page,
      line: text.slice(0, index).split("\n").length,
      language,
      title: /title="([^"]+)"/.exec(info)?.[1] ?? "",
      text: code,
      output: OUTPUT.exec(text.slice(index + fence.length))?.[1] ?? "",
    }),
  );
}

/** The text of the only block of the page that contains `marker`. */
export function codeWith(page: string, marker: string): string {
  const found = blocksOf(page).filter(({ text }) => text.includes(marker));
  const [block] = found;
  if (block === undefined || found.length > 1)
    throw new Error(
      `${page} has ${found.length} blocks with ${JSON.stringify(marker)}, expected 1`,
    );
  return block.text;
}

/** The text of the block for which the page names a file. */
export function codeOfFile(page: string, file: string): string {
  const block = blocksOf(page).find(({ title }) => title === file);
  if (block === undefined) throw new Error(`${page} has no block with title="${file}"`);
  return block.text;
}

/** The files that a page of the examples shows, by path below `plugins/`. */
export function shownFiles(page: string): Record<string, string> {
  const shown = /<!-- generated: (\S+) -->\s*```\w+\n([\s\S]*?)^```$/gm;
  return Object.fromEntries(
    [...textOf(page).matchAll(shown)].map(([, file = "", code = ""]) => [file, code]),
  );
}

/** A fragment with `setup(site) { … }`, after its imports, as the plugin that the page leaves out. */
export function asPlugin(name: string, fragment: string, requires: readonly string[] = []): string {
  const imports = fragment.match(/^import .*$/gm) ?? [];
  const rest = fragment.replace(/^import .*$/gm, "").trim();
  return `import { definePlugin } from "sitewright";
${imports.join("\n")}
let count = 0;
export default definePlugin({
  name: ${JSON.stringify(name)},
  version: "1.0.0",
  requires: ${JSON.stringify(requires)},
  ${rest},
});
void count;
`;
}
