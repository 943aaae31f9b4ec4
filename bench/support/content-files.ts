import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const WORDS =
  "site page folder markdown content server plugin theme route query index search cache answer request reader writer editor image media list order date title value field record".split(
    " ",
  );

/** Writes a site of `count` Markdown pages in sections of 100, always the same. */
export function writeContent(root: string, count: number): void {
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  write("site.yaml", "title: Bench\nurl: http://localhost:8000\n");
  write("content/01.home/default.md", "---\ntitle: Home\n---\nWelcome.\n");
  for (let at = 0; at < count - 1; at += 1) {
    const section = String(Math.floor(at / 100) + 2).padStart(4, "0");
    write(`content/${section}.section-${section}/page-${at}/default.md`, pageText(at));
  }
}

function pageText(at: number): string {
  const random = generator(at + 1);
  const words = (count: number): string =>
    Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)]).join(" ");
  const date = new Date(Date.UTC(2020, 0, 1 + (at % 2_000))).toISOString().slice(0, 10);
  const sections = Array.from(
    { length: 4 },
    (_, part) =>
      `## Part ${part + 1}\n\n${words(60)}.\n\n- ${words(6)}\n- ${words(6)}\n\n**${words(3)}** and [a link](https://example.org/${part}).\n`,
  );
  const tags = `[${WORDS[at % 7]}, ${WORDS[at % 13]}]`;
  return `---\ntitle: Page ${at} ${words(3)}\ndate: ${date}\ntaxonomy:\n  tag: ${tags}\nmetadata:\n  description: ${words(8)}\n---\n\n${sections.join("\n")}`;
}

/** A small deterministic generator of numbers between 0 and 1. */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
