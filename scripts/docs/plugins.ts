import { readFileSync } from "node:fs";
import { parseHeader } from "../../test/support/packages/plugin-header.js";
import type { DocsSite } from "./docs-site.js";
import { code, table } from "./table.js";

/** The first-party plugins: what they provide, use, open, add, fire and handle, from their headers. */
export function pluginTable(root: string, { plugins }: DocsSite): string {
  const rows = plugins.map(({ name }) => {
    const source = readFileSync(`${root}/plugins/${name}/index.ts`, "utf8");
    const { Provides, Uses, Opens, Adds, Fires, Handles } = parseHeader(source);
    return [
      `[${name}](${name}/)`,
      sentenceOf(source),
      list(Provides),
      list(Uses),
      list(Opens),
      list(Adds),
      list(Fires),
      list(Handles),
    ];
  });
  const lists = ["Provides", "Uses", "Opens", "Adds", "Fires", "Handles"];
  return table(["Plugin", "What it is", ...lists], rows);
}

function list(names: readonly string[]): string {
  return names.map(code).join(", ");
}

function sentenceOf(source: string): string {
  const comment = /^\/\*\*([\s\S]*?)\*\//.exec(source)?.[1] ?? "";
  const text = comment.replace(/^\s*\*\s?/gm, "").trim();
  return (text.split(/\n(?:Provides|Uses|Opens|Adds|Fires|Handles):/)[0] ?? "")
    .replace(/\s+/g, " ")
    .trim();
}
