import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { SiteError } from "#lib/errors";
import { nearest } from "#lib/values";
import { brokenSource, parseYamlSource } from "#lib/yaml";
import type { Env, ConfigFile, RawConfig } from "../contracts.js";
import {
  collect,
  CONFIG_NAMES,
  parsed,
  type ConfigFiles,
  type FileText,
  type NamedFile,
  type Read,
} from "./parse-files.js";
import type { ConfigProblem } from "./problem.js";
import { processEnv } from "./env.js";
import { mergeLayers } from "./layers.js";

/**
 * Step 1 of the boot: reads `site.yaml`, `system.yaml` and `admin.yaml` of the root or its `config/`
 * folder and the overlays in `env/{mode}/`. Never throws for user mistakes: see `problems`.
 * @throws ERR_CONFIG_ROOT when the root does not exist or is not a folder.
 */
export async function readConfigFiles(
  root: string,
  env: Env,
  instead?: FileText,
): Promise<ConfigFiles> {
  assertFolder(root);
  // Synchronous calls: a few small files at startup, read several times faster than with promises.
  const problems: ConfigProblem[] = [];
  const base = withFile(findAll(root, "", problems), instead);
  const overlay = findAll(root, `env/${env.mode}`, problems);
  const read = (file: string): Read =>
    instead?.file === file ? parsed(instead) : readSource(root, file);
  return collect(root, { files: [...base, ...overlay], problems, read });
}

function assertFolder(root: string): void {
  // With the dot the path must be a folder.
  if (existsSync(`${root}${path.sep}.`)) return;
  const problem = existsSync(root)
    ? `${JSON.stringify(root)} is not a folder`
    : `folder ${JSON.stringify(root)} does not exist`;
  throw new SiteError("ERR_CONFIG_ROOT", problem, {
    fix: "pass the site's folder with --root",
    exitCode: 2,
  });
}

/** Includes a file that does not exist yet. */
function withFile(files: NamedFile[], instead: FileText | undefined): NamedFile[] {
  const name = CONFIG_NAMES.find((one) =>
    [`${one}.yaml`, `config/${one}.yaml`].includes(instead?.file ?? ""),
  );
  if (instead === undefined || name === undefined) return files;
  const others = files.filter((one) => one.name !== name);
  return [...others, { name, file: instead.file }].toSorted(
    (a, b) => CONFIG_NAMES.indexOf(a.name) - CONFIG_NAMES.indexOf(b.name),
  );
}

/** The three files of one folder, in the root or below `config/`; both at once is a problem. */
function findAll(root: string, folder: string, problems: ConfigProblem[]): NamedFile[] {
  const inRoot = yamlNames(root, folder);
  const inConfig = yamlNames(root, join("config", folder));
  const files: NamedFile[] = [];
  for (const name of CONFIG_NAMES) {
    const [rootFile, configFile] = [
      join(folder, `${name}.yaml`),
      join("config", folder, `${name}.yaml`),
    ];
    const [hasRoot, hasConfig] = [inRoot.has(`${name}.yaml`), inConfig.has(`${name}.yaml`)];
    if (hasRoot) files.push({ name, file: rootFile });
    else if (hasConfig) files.push({ name, file: configFile });
    if (hasRoot && hasConfig)
      problems.push(
        placementProblem(
          configFile,
          `the file in one place, but ${rootFile} exists too`,
          "merge the two files into one",
        ),
      );
  }
  problems.push(...[...inRoot].flatMap((name) => misnamed(folder, name)));
  problems.push(...[...inConfig].flatMap((name) => misnamed(join("config", folder), name)));
  return files;
}

function yamlNames(root: string, folder: string): Set<string> {
  try {
    const names = readdirSync(path.join(root, folder));
    return new Set(names.filter((name) => /\.ya?ml$/i.test(name)));
  } catch {
    // A missing folder has no files; the content index reports an unreadable one.
    return new Set();
  }
}

/** Reports `site.yml` and `Site.yaml`; in an overlay folder any other file too. */
function misnamed(folder: string, name: string): ConfigProblem[] {
  const stem = name.replace(/\.ya?ml$/i, "");
  const sameName = CONFIG_NAMES.find((candidate) => candidate === stem.toLowerCase());
  if (sameName && name === `${sameName}.yaml`) return [];
  const isOverlay = /(^|\/)env\//.test(folder);
  if (!sameName && !isOverlay) return [];
  const meant = sameName ?? nearest(stem, CONFIG_NAMES);
  const fix = meant ? `rename it to ${meant}.yaml` : "remove the file";
  return [placementProblem(join(folder, name), "`site.yaml`, `system.yaml` or `admin.yaml`", fix)];
}

function placementProblem(file: string, expected: string, fix: string): ConfigProblem {
  return { file, line: 1, column: 1, key: "", received: file, expected, fix };
}

function readSource(root: string, file: string): Read {
  const absolute = path.join(root, file);
  try {
    if (!statSync(absolute).isFile()) {
      const [expected, fix] = ["a file", "replace it with a file"];
      return unread(file, { received: "something else", expected, fix });
    }
    const bytes = readFileSync(absolute);
    return { source: parseYamlSource(file, bytes), text: bytes.toString() };
  } catch (error) {
    const received = error instanceof Error && "code" in error ? error.code : "an error";
    return unread(file, { received, expected: "a readable file", fix: "check its permissions" });
  }
}

function unread(file: string, problem: Parameters<typeof brokenSource>[1]): Read {
  return { source: brokenSource(file, problem), text: null };
}

function join(...parts: readonly string[]): string {
  return path.posix.join(...parts);
}

/**
 * The configuration files of a site root with overlays, without loading a plugin: for commands that
 * repair a site that cannot start.
 */
export async function readRawConfig(root: string): Promise<RawConfig> {
  const { layers } = await readConfigFiles(root, processEnv());
  const merged = (file: ConfigFile): Record<string, unknown> =>
    mergeLayers(layers.filter(({ target }) => target === file));
  return { site: merged("site"), system: merged("system"), admin: merged("admin") };
}
