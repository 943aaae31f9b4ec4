import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const WORDS =
  "site page folder markdown content server plugin theme route query index search cache answer request reader writer editor image media list order date title value field record".split(
    " ",
  );

/** Pages, lists and an item of the API in the sites of `writeContent`. */
export const CONTENT_PATHS = [
  "/",
  "/section-0002/page-5",
  "/api/pages",
  "/api/pages?order=date:desc&limit=20",
  "/api/pages/section-0002/page-5",
  "/api/nav",
] as const;

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

/**
 * Writes documentation of `count` pages in five parts of groups of 40, without numbers, always the same. Pages
 * have links with anchors to the next page and code. Every second one has raw HTML, and every fourth one is linked
 * by an anchor in it, which is known only after rendering.
 */
export function writeTree(root: string, count: number): void {
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  write("site.yaml", "title: Bench\nurl: http://localhost:8000\ntheme: { preset: docs }\n");
  write("content/index.md", "# Home\n\nWelcome.\n");
  const each = Math.ceil((count - 1) / 5);
  for (let at = 0; at < count - 1; at += 1) write(treeFile(at, each), treePageText(at, count));
}

/** The file of a page of `writeTree`; `each`: pages of a part. */
function treeFile(at: number, each: number): string {
  const [inPart, part] = [at % each, Math.floor(at / each)];
  const number = inPart % 40;
  const name = number === 0 ? "index" : `page-${number}`;
  return `content/part-${part}/group-${Math.floor(inPart / 40)}/${name}.md`;
}

function treePageText(at: number, count: number): string {
  const random = generator(at + 1);
  const words = (count: number): string =>
    Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)]).join(" ");
  const each = Math.ceil((count - 1) / 5);
  const next = treeFile(at + 1 < count - 1 ? at + 1 : 0, each);
  const target = `../../${next.slice("content/".length)}`;
  const toNote = at % 4 === 1 ? ` and [its note](${target}#note)` : "";
  const note = `<div class="note">\n<a id="note"></a>\n\n${words(12)}\n\n</div>\n`;
  const parts = Array.from(
    { length: 6 },
    (_, part) => `## Part ${part + 1}

${words(60)}, see [the next page](${target}#part-${part + 1})${part === 0 ? toNote : ""}.

\`\`\`${["js", "bash", "yaml", "ts", "html", "css"][part]}
${treeCode(part)}
\`\`\`
`,
  );
  return `---\ntitle: Page ${at} ${words(3)}\n---\n\n${at % 2 === 0 ? note : ""}\n${parts.join("\n")}`;
}

function treeCode(part: number): string {
  const samples = [
    'import { join } from "node:path";\n\nexport function load(name) {\n  return join("content", `${name}.md`);\n}',
    'for file in content/*.md; do\n  echo "$file" | sed -e "s/.md$//"\ndone',
    "title: Bench\nlanguages:\n  default: en\n  supported: [en, de]",
    "interface Page {\n  readonly title: string;\n}\nconst pages: Page[] = [];",
    '<main class="page">\n  <h1>Title</h1>\n</main>',
    ".page {\n  display: grid;\n  gap: 1rem;\n}",
  ];
  return samples[part % samples.length] ?? "";
}
