/** Configuration files as values: from texts, wherever they were read. */
import path from "node:path";
import { isRecord } from "#lib/values";
import { parseYamlSource, type YamlSource } from "#lib/yaml";
import type { ConfigFile } from "../contracts.js";
import { mergeLayers, type ConfigLayer } from "./layers.js";
import type { ConfigProblem } from "./problem.js";

/** A file's content that does not come from the disk. */
export interface FileText {
  /** Relative to the root: `site.yaml`, `config/site.yaml`, `env/production/site.yaml`. */
  file: string;
  text: string;
}

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
  /** The texts as read: `parseConfigFiles` parses them again, even if the files on the disk have changed. */
  readonly texts: readonly FileText[];
}

/** Names of the files, lowest precedence first. */
export const CONFIG_NAMES: readonly ConfigFile[] = ["site", "system", "admin"];

/** A file of one name. */
export interface NamedFile {
  name: ConfigFile;
  file: string;
}

/** Like `readConfigFiles`, for texts that another process has read: `ConfigFiles.texts`. */
export function parseConfigFiles(root: string, texts: readonly FileText[]): ConfigFiles {
  const byFile = new Map(texts.map((text) => [text.file, text]));
  const named = texts.flatMap(({ file }) => {
    const name = CONFIG_NAMES.find((one) => path.posix.basename(file) === `${one}.yaml`);
    return name === undefined ? [] : [{ name, file }];
  });
  const read = (file: string): Read => parsed(byFile.get(file) ?? { file, text: "" });
  return collect(root, { files: named, problems: [], read });
}

/** A file as values, and its text; null for one that could not be read. */
export interface Read {
  readonly source: YamlSource;
  readonly text: string | null;
}

/** A text as values. */
export function parsed({ file, text }: FileText): Read {
  return { source: parseYamlSource(file, Buffer.from(text)), text };
}

/** The files that `collect` reads. */
export interface CollectInput {
  /** In order of precedence, lowest first. */
  files: readonly NamedFile[];
  /** Receives the problems of the files. */
  problems: ConfigProblem[];
  read(file: string): Read;
}

/** The files in order of precedence, lowest first. */
export function collect(root: string, { files, problems, read }: CollectInput): ConfigFiles {
  const layers: ConfigLayer[] = [];
  const texts: FileText[] = [];
  for (const { name, file } of files) {
    const { source, text } = read(file);
    problems.push(...source.problems);
    if (text !== null) texts.push({ file, text });
    layers.push(...toLayers(name, source, problems));
  }
  const plugins = mergeLayers(layers.filter((layer) => layer.target === "site"))["plugins"];
  return { root, list: files.map(({ file }) => file), problems, layers, plugins, texts };
}

/** A file's values as layers: `admin:` of site.yaml and of admin.yaml belong to the admin file. */
function toLayers(name: ConfigFile, source: YamlSource, problems: ConfigProblem[]): ConfigLayer[] {
  const layer = (
    target: ConfigFile,
    prefix: readonly string[],
    data: Record<string, unknown>,
    texts: unknown,
  ): ConfigLayer => ({
    target,
    file: source.file,
    prefix,
    data,
    ...(isRecord(texts) && { texts }),
    position: (at) => source.position(at),
  });
  if (name === "system") return [layer("system", [], { ...source.data }, source.texts)];
  const { admin, ...rest } = source.data;
  const { admin: adminTexts, ...texts } = isRecord(source.texts) ? source.texts : {};
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
  const nested =
    Object.keys(block).length > 0 ? [layer("admin", ["admin"], block, adminTexts)] : [];
  return [layer(name, [], rest, texts), ...nested];
}
