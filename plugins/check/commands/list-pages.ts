import type { Command } from "#kernel";
import type { PageEntry } from "../../content/contract.js";

/** `content:list`: every page, in tree order. */
export function listPagesCommand(): Command {
  return {
    name: "content:list",
    summary: "list every page: route, status, template, file",
    options: [["--json", "print JSON"]],
    async run({ site, out, options }) {
      const { entries } = (await site()).use("content").generation();
      if (options["json"] === true) out.json({ pages: entries.map(toRow) });
      else for (const entry of entries) out.line(Object.values(toRow(entry)).join("  "));
    },
  };
}

function toRow({ url, title, status, published, template, sourcePath }: PageEntry) {
  return { route: url, status: published ? status : "draft", template, title, sourcePath };
}
