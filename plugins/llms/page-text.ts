import type { ContentView, PageEntry } from "../content/contract.js";

const FORMATS: readonly string[] = ["md", "mdx"];

/** True for a page whose source is Markdown. */
export function hasMarkdown({ format }: PageEntry): boolean {
  return FORMATS.includes(format);
}

/** The source of a page without front matter, then that of its modules, in the order of the page. */
export async function pageText(view: ContentView, entry: PageEntry): Promise<string> {
  const parts = [entry, ...view.modules(entry)].filter(hasMarkdown);
  const texts: string[] = [];
  for (const part of parts) texts.push((await view.load(part)).body);
  return texts.length === 1 ? (texts[0] ?? "") : joined(texts);
}

/** The address of a page's Markdown; the home page has the name `index`. */
export function markdownUrl({ url, route }: Pick<PageEntry, "url" | "route">): string {
  if (route !== "/") return `${url}.md`;
  return url === "/" ? "/index.md" : `${url}/index.md`;
}

function joined(texts: readonly string[]): string {
  const written = texts.map((text) => text.trim()).filter((text) => text !== "");
  return `${written.join("\n\n")}\n`;
}
