/** Collects what a site uses of Sitewright: its configuration, its plugins, and the words in its code. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { globSync } from "tinyglobby";
import { z } from "zod";
import {
  type Deprecation,
  type PluginInfo,
  type RawConfig,
  readRawConfig,
  type SiteContext,
} from "#kernel";

/** Limits of the code that is searched. */
const MAX_FILES = 5_000;
const MAX_BYTES = 1_048_576;

const manifestShape = z.object({
  peerDependencies: z.object({ sitewright: z.string().optional() }).optional(),
});

/** A site, as the plan sees it. */
export interface SiteUsage {
  readonly config: RawConfig;
  readonly plugins: readonly PluginInfo[];
  /** Code of its own plugins and themes: path relative to the root to text. */
  readonly code: ReadonlyMap<string, string>;
  /** Range of `peerDependencies.sitewright` by plugin package. */
  readonly peers: ReadonlyMap<string, string>;
  /** What it uses that later versions remove. */
  readonly deprecations: readonly Deprecation[];
}

/** Collects what a booted site uses. */
export async function siteUsage(root: string, site: SiteContext): Promise<SiteUsage> {
  const plugins = site.runtime.plugins();
  return {
    config: await readRawConfig(root),
    plugins,
    code: await readCode(root),
    peers: await readPeers(root, plugins),
    deprecations: site.runtime.deprecations(),
  };
}

/** Files whose code mentions a name as a whole word. */
export function mentions({ code }: SiteUsage, name: string): string[] {
  const escaped = name.replaceAll(/[^\w]/g, "\\$&");
  const word = new RegExp(`(?<![\\w$])${escaped}(?![\\w$])`);
  return [...code].flatMap(([file, text]) => (word.test(text) ? [file] : []));
}

/** Files whose code mentions a text in quotes. */
export function quotes(usage: SiteUsage, text: string): string[] {
  return [...usage.code].flatMap(([file, code]) =>
    [`"${text}"`, `'${text}'`, `\`${text}\``].some((quoted) => code.includes(quoted)) ? [file] : [],
  );
}

async function readCode(root: string): Promise<Map<string, string>> {
  const files = globSync("{plugins,themes}/**/*.{ts,tsx,mts,js,jsx,mjs,cjs}", {
    cwd: root,
    followSymbolicLinks: false,
    ignore: ["**/node_modules/**"],
  });
  const code = new Map<string, string>();
  for (const file of files.toSorted().slice(0, MAX_FILES)) {
    const { size } = await stat(join(root, file));
    if (size <= MAX_BYTES) code.set(file, await readFile(join(root, file), "utf8"));
  }
  return code;
}

async function readPeers(
  root: string,
  plugins: readonly PluginInfo[],
): Promise<Map<string, string>> {
  const peers = new Map<string, string>();
  for (const { name, src } of plugins) {
    const [, packageName] = /^npm:(.+)@[^@]*$/.exec(src ?? "") ?? [];
    if (packageName === undefined) continue;
    const range = await peerRange(join(root, "node_modules", packageName, "package.json"));
    if (range !== null) peers.set(name, range);
  }
  return peers;
}

/** Null without a range, and for a package that cannot be read: the site started without it. */
async function peerRange(file: string): Promise<string | null> {
  try {
    const manifest: unknown = JSON.parse(await readFile(file, "utf8"));
    return manifestShape.parse(manifest).peerDependencies?.sitewright ?? null;
  } catch {
    return null;
  }
}
