/** Media that no page uses. */
import { posix } from "node:path";
import type { ContentProblem, ContentService, PageEntry } from "../content/contract.js";
import type { Links } from "./link-graph.js";

/** Files beside pages without a reference in a link or in the front matter of a page beside them. */
export async function findOrphans(
  content: Pick<ContentService, "media">,
  { generation, all }: Links,
): Promise<ContentProblem[]> {
  const linked = new Set(
    all.flatMap(({ resolved }) => (resolved.kind === "media" ? [resolved.path] : [])),
  );
  const problems: ContentProblem[] = [];
  for (const [folder, entries] of byFolder(generation.entries)) {
    // A page that is a program may use its files in any way.
    if (entries.some(({ format }) => format !== "md")) continue;
    const named = entries.map(({ frontmatter }) => JSON.stringify(frontmatter)).join("\n");
    for (const { name } of await content.media(folder)) {
      const sourcePath = posix.join(folder, name);
      if (linked.has(sourcePath) || named.includes(JSON.stringify(name).slice(1, -1))) continue;
      const message = "no page uses this file";
      problems.push({ sourcePath, severity: "warning", code: "ERR_CHECK_ORPHAN", message });
    }
  }
  return problems;
}

function byFolder(entries: readonly PageEntry[]): Map<string, PageEntry[]> {
  const folders = new Map<string, PageEntry[]>();
  for (const entry of entries) {
    const folder = folders.get(entry.folder);
    if (folder === undefined) folders.set(entry.folder, [entry]);
    else folder.push(entry);
  }
  return folders;
}
