import type { ConfigFile, Plugin } from "#kernel";
import { z } from "zod";
import { grouped } from "./grouped.js";
import type { DocsSite } from "./docs-site.js";
import { schemaRows, type SchemaRow } from "./schema-rows.js";
import { code, table } from "./table.js";

/** Every key of a configuration file, a table for each block. */
export function configurationTables({ plugins, site }: DocsSite, file: ConfigFile): string {
  const owners = ownersOf(plugins, file);
  const rows = schemaRows(site.configFiles.schema(file)).filter(
    ({ key }) => !isAdminBlock(file, key),
  );
  const blocks = [...grouped(rows, ({ key }) => blockName(rows, key))];
  // Plain keys first, then blocks.
  blocks.sort(([a], [b]) => Number(a !== "") - Number(b !== ""));
  return blocks
    .map(([block, its]) => `${block === "" ? "" : `### ${block}\n\n`}${tableOf(its, owners)}`)
    .join("\n\n");
}

// The keys of admin.yaml, below `admin:` of site.yaml or at the top level, are listed once.
function isAdminBlock(file: ConfigFile, key: string): boolean {
  return file !== "system" && /^admin\b/.test(key);
}

function blockOf(key: string): string {
  return /^[^.[]+/.exec(key)?.[0] ?? "";
}

/** A list or map with keys of its own is grouped with them, a plain key with the other plain keys. */
function blockName(rows: readonly SchemaRow[], key: string): string {
  const block = blockOf(key);
  return rows.some((row) => row.key !== block && blockOf(row.key) === block) ? block : "";
}

function tableOf(rows: readonly SchemaRow[], owners: ReadonlyMap<string, string>): string {
  const cells = rows.map(({ key, type, default: fallback, description, privileged }) => [
    `${code(key)}<br><small>${owners.get(key) ?? "kernel"}</small>`,
    `${description}<br><small>${type}${privileged ? "; privileged" : ""}</small>`,
    defaultCell(fallback),
  ]);
  return table(["Key and plugin", "What it does, and its value", "Default"], cells);
}

/** A default; the items of a long list separately, to fit their column. */
function defaultCell(json: string | null): string {
  if (json === null) return "";
  const value: unknown = JSON.parse(json);
  if (!Array.isArray(value) || value.length < 3) return code(json);
  return value.map((item: unknown) => code(JSON.stringify(item))).join(", ");
}

/** The keys of plugins in a configuration file, with their plugin. */
export function ownersOf(plugins: readonly Plugin[], file: ConfigFile): Map<string, string> {
  const owners = new Map<string, string>();
  for (const { name, settings } of plugins) {
    const schema = settings?.[file];
    if (schema === undefined) continue;
    const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    for (const { key } of schemaRows({ ...json })) owners.set(key, name);
  }
  return owners;
}
