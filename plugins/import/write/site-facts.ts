/** Facts of the old site in the configuration of the new one, only where that has none. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { atomicWrite, isRecord, type SiteContext } from "#kernel";
import { errorCode } from "#lib/errors";
import { readYaml, setYamlKeys, type YamlChange } from "#lib/yaml";
import type { Plan } from "../plan/plan.js";

/** Sources of which a site with posts is a blog. */
const BLOGS: ReadonlySet<string> = new Set(["wordpress", "ghost"]);

/** True for a source whose sites are blogs. */
export function isBlogSource(from: string): boolean {
  return BLOGS.has(from);
}

/** What is written. */
interface SiteFacts {
  readonly from: string;
  /** The address of the logo in the new site; null without one. */
  readonly logo: string | null;
}

/** Writes title, description, logo, preset and language where they are not set. Returns the keys that it sets. */
export async function writeFacts(
  site: SiteContext,
  { site: old, pages }: Plan,
  { from, logo }: SiteFacts,
  dryRun: boolean,
): Promise<string[]> {
  const isBlog = isBlogSource(from) && pages.some(({ route }) => route.startsWith("/blog/"));
  const language = (old.language ?? "")
    .replace("_", "-")
    .replace(/^(\w+)/, (code) => code.toLowerCase());
  const isOwnLanguage =
    /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(language) && !/^en\b/.test(language);
  const hasTranslations = pages.some(({ translation }) => translation !== null);
  return [
    ...(await setMissing(site, "site.yaml", dryRun, [
      { path: ["title"], value: old.title ?? "" },
      { path: ["description"], value: old.description ?? "" },
      { path: ["theme", "preset"], value: isBlog ? "blog" : "" },
      { path: ["theme", "custom", "logo"], value: logo ?? "" },
    ])),
    ...(await setMissing(site, "system.yaml", dryRun, [
      {
        path: ["languages"],
        value:
          isOwnLanguage && !hasTranslations ? { supported: [language], default: language } : "",
      },
    ])),
  ];
}

async function setMissing(
  site: SiteContext,
  file: string,
  dryRun: boolean,
  wanted: readonly YamlChange[],
): Promise<string[]> {
  const path = join(site.paths.root, file);
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return "";
    throw error;
  });
  const { values } = readYaml(text);
  const changes = wanted.filter(({ path: keys, value }) => value !== "" && isUnset(values, keys));
  if (changes.length === 0) return [];
  if (!dryRun) await atomicWrite(path, setYamlKeys(text, changes), { access: "shared" });
  return changes.map(({ path: keys }) => `${file}: ${keys.join(".")}`);
}

/** True when a map does not have a key, and could have it. */
function isUnset(values: unknown, [key = "", ...below]: readonly (string | number)[]): boolean {
  if (values === null || values === undefined) return true;
  if (!isRecord(values)) return false;
  const value = values[key];
  return below.length === 0
    ? value === undefined || value === null || value === ""
    : isUnset(value, below);
}
