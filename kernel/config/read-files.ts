import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { ConfigFile, Env } from "../contracts.js";
import { SiteError } from "../errors.js";
import { nearest } from "./nearest.js";
import { mergeLayers } from "./layers.js";
import type { ConfigLayer } from "./layers.js";
import type { ConfigProblem } from "./problem.js";
import { brokenSource, parseYamlSource } from "./yaml-source.js";
import type { YamlSource } from "./yaml-source.js";
import { isRecord } from "../is-record.js";

/** The configuration as read from the files, not yet validated. */
export interface ConfigFiles {
  /** Absolute site root. */
  readonly root: string;
  /** Relative paths of the files read, in order of precedence, lowest first. */
  readonly list: readonly string[];
  /** Problems with the files themselves: syntax, location. */
  readonly problems: readonly ConfigProblem[];
  /** Lowest first. */
  readonly layers: readonly ConfigLayer[];
  /** `plugins` of site.yaml after the overlay; undefined when absent. */
  readonly plugins: unknown;
}

const NAMES: readonly ConfigFile[] = ["site", "system", "admin"];

interface Found {
  name: ConfigFile;
  file: string;
}

/** A file with hypothetical content, read instead of the one on disk. */
export interface FileText {
  /** Relative to the root: `site.yaml` or `config/site.yaml`. */
  file: string;
  text: string;
}

/**
 * Step 1 of the boot: reads `site.yaml`, `system.yaml` and `admin.yaml` of the root or its `config/`
 * folder and the overlays in `env/{mode}/`. Never throws for user mistakes: see `problems`.
 * @throws ERR_CONFIG_ROOT when the folder does not exist.
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
  const layers: ConfigLayer[] = [];
  const list: string[] = [];
  for (const { name, file } of [...base, ...overlay]) {
    const source =
      instead?.file === file
        ? parseYamlSource(file, Buffer.from(instead.text))
        : readSource(root, file);
    problems.push(...source.problems);
    list.push(file);
    layers.push(...layersOf(name, source, problems));
  }
  const plugins = mergeLayers(layers.filter((layer) => layer.target === "site"))["plugins"];
  return { root, list, problems, layers, plugins };
}

function assertFolder(root: string): void {
  // With the dot the path must be a folder.
  if (existsSync(`${root}${path.sep}.`)) return;
  throw new SiteError("ERR_CONFIG_ROOT", `folder ${JSON.stringify(root)} does not exist`, {
    fix: "pass the site's folder with --root",
  });
}

/** Includes a file that does not exist yet. */
function withFile(found: Found[], instead: FileText | undefined): Found[] {
  const name = NAMES.find((one) =>
    [`${one}.yaml`, `config/${one}.yaml`].includes(instead?.file ?? ""),
  );
  if (instead === undefined || name === undefined) return found;
  const others = found.filter((one) => one.name !== name);
  return [...others, { name, file: instead.file }].toSorted(
    (a, b) => NAMES.indexOf(a.name) - NAMES.indexOf(b.name),
  );
}

/** The three files of one folder, in the root or below `config/`; both at once is a problem. */
function findAll(root: string, folder: string, problems: ConfigProblem[]): Found[] {
  const inRoot = yamlNames(root, folder);
  const inConfig = yamlNames(root, join("config", folder));
  const found: Found[] = [];
  for (const name of NAMES) {
    const [rootFile, configFile] = [
      join(folder, `${name}.yaml`),
      join("config", folder, `${name}.yaml`),
    ];
    const [hasRoot, hasConfig] = [inRoot.has(`${name}.yaml`), inConfig.has(`${name}.yaml`)];
    if (hasRoot) found.push({ name, file: rootFile });
    else if (hasConfig) found.push({ name, file: configFile });
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
  return found;
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
  const known = NAMES.find((candidate) => candidate === stem.toLowerCase());
  if (known && name === `${known}.yaml`) return [];
  const isOverlay = /(^|\/)env\//.test(folder);
  if (!known && !isOverlay) return [];
  const meant = known ?? nearest(stem, NAMES);
  const fix = meant ? `rename it to ${meant}.yaml` : "remove the file";
  return [placementProblem(join(folder, name), "`site.yaml`, `system.yaml` or `admin.yaml`", fix)];
}

function placementProblem(file: string, expected: string, fix: string): ConfigProblem {
  return { file, line: 1, column: 1, key: "", received: file, expected, fix };
}

function readSource(root: string, file: string): YamlSource {
  const absolute = path.join(root, file);
  try {
    if (!statSync(absolute).isFile()) {
      return brokenSource(file, {
        received: "something else",
        expected: "a file",
        fix: "replace it with a file",
      });
    }
    return parseYamlSource(file, readFileSync(absolute));
  } catch (error) {
    const received = error instanceof Error && "code" in error ? error.code : "an error";
    return brokenSource(file, {
      received,
      expected: "a readable file",
      fix: "check its permissions",
    });
  }
}

/** A file's values as layers: `admin:` of site.yaml and of admin.yaml belong to the admin file. */
function layersOf(name: ConfigFile, source: YamlSource, problems: ConfigProblem[]): ConfigLayer[] {
  const layer = (
    target: ConfigFile,
    prefix: readonly string[],
    data: Record<string, unknown>,
  ): ConfigLayer => ({
    target,
    file: source.file,
    prefix,
    data,
    position: (at) => source.position(at),
  });
  if (name === "system") return [layer("system", [], { ...source.data })];
  const { admin, ...rest } = source.data;
  const block = isRecord(admin) ? admin : {};
  if (admin !== undefined && admin !== null && !isRecord(admin)) {
    const position = source.position(["admin"]) ?? { line: 1, column: 1 };
    problems.push({
      file: source.file,
      ...position,
      key: "admin",
      received: admin,
      expected: "keys and values",
      fix: "write the admin keys below `admin:`",
    });
  }
  const nested = Object.keys(block).length > 0 ? [layer("admin", ["admin"], block)] : [];
  return [layer(name, [], rest), ...nested];
}

function join(...parts: readonly string[]): string {
  return path.posix.join(...parts);
}
