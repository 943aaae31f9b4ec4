import type { Command } from "#kernel";
import type { PageEntry } from "../../content/contract.js";

/** `content:list`: every page, in tree order. */
export function listPagesCommand(): Command {
  return {
    name: "content:list",
    summary: "list every page: route, status, template, file, and why it is not shown",
    options: [["--json", "print JSON"]],
    async run({ site, out, options }) {
      const generation = (await site()).use("content").generation();
      const hidden = new Map(
        generation.problems
          .filter(({ code }) => code === "ERR_CONTENT_UNREACHABLE")
          .map(({ sourcePath, message }) => [sourcePath, message]),
      );
      const rows = generation.entries.map((entry) => ({
        ...toRow(entry),
        unreachable: hidden.get(entry.sourcePath) ?? null,
      }));
      if (options["json"] === true) out.json({ pages: rows });
      else for (const row of rows) out.line(formatRow(row));
    },
  };
}

function formatRow({
  unreachable,
  ...row
}: ReturnType<typeof toRow> & { unreachable: string | null }) {
  return [...Object.values(row), ...(unreachable === null ? [] : [unreachable])].join("  ");
}

function toRow({ url, title, status, published, template, sourcePath }: PageEntry) {
  return { route: url, status: published ? status : "draft", template, title, sourcePath };
}
