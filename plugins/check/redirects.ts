/** `redirects` of site.yaml: one step from any old address to the page as it is now. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isMap, parseDocument } from "yaml";
import { atomicWrite } from "#kernel";

type Redirects = Readonly<Record<string, string>>;

/** Adds redirects: what led to an old address leads to the new one, and no page redirects away. */
export function addRedirects(known: Redirects, added: Redirects): Record<string, string> {
  const result = new Map(Object.entries(known));
  for (const [from, to] of Object.entries(added)) {
    if (from === to) continue;
    result.delete(to);
    for (const [other, target] of result) if (target === from) result.set(other, to);
    result.set(from, to);
  }
  for (const [from, to] of result) if (from === to) result.delete(from);
  return Object.fromEntries(result);
}

/** Writes redirects into site.yaml; comments and the order of keys stay. Throws when it cannot be read. */
export async function writeRedirects(root: string, added: Redirects): Promise<void> {
  const file = configFile(root);
  const document = parseDocument(existsSync(file) ? await readFile(file, "utf8") : "");
  const [broken] = document.errors;
  if (broken !== undefined) throw new Error(`site.yaml cannot be read: ${broken.message}`);
  const section = document.get("redirects");
  const before: Record<string, string> = {};
  if (isMap(section)) {
    for (const [from, to] of Object.entries(section.toJSON())) before[from] = String(to);
  }
  const after = addRedirects(before, added);
  for (const from of Object.keys(before)) {
    if (!Object.hasOwn(after, from)) document.deleteIn(["redirects", from]);
  }
  if (!isMap(section)) document.set("redirects", document.createNode({}));
  for (const [from, to] of Object.entries(after)) {
    if (before[from] !== to) document.setIn(["redirects", from], to);
  }
  await atomicWrite(file, document.toString({ lineWidth: 0 }));
}

function configFile(root: string): string {
  const inFolder = join(root, "config", "site.yaml");
  return !existsSync(join(root, "site.yaml")) && existsSync(inFolder)
    ? inFolder
    : join(root, "site.yaml");
}
