/** Reads the files of page types and blocks within limits. */
import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { definitionTexts, type KindLookup } from "#lib/fields";
import { errorCode } from "#lib/errors";
import { realInside } from "#lib/files";
import { parseYamlSource, type YamlSource, nearestLine } from "#lib/yaml";
import type { ContentProblem } from "../contract.js";

/** Maximum number of files per folder. */
const MAX_FILES = 500;
/** Maximum file size, in bytes. */
const MAX_BYTES = 256 * 1024;
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const RESERVED = new Set(["constructor", "prototype"]);
const EXTENSION = ".yaml";

/** A file and its values. */
export interface BlueprintFile {
  /** Without extension. */
  readonly name: string;
  /** Below the site root: `blueprints/post.yaml`. */
  readonly path: string;
  /** Null for a file that cannot be read: see the problems. */
  readonly source: YamlSource | null;
}
/** The files of one folder, and what is wrong with those left out. */
export interface FolderOfFiles {
  readonly files: readonly BlueprintFile[];
  readonly problems: readonly ContentProblem[];
  /** False: the folder exists but cannot be listed now. */
  readonly isListed: boolean;
}

/** The files of a folder below the site root, by name; `kinds` of fields. Never throws. */
export async function readBlueprintFiles(
  root: string,
  folder: string,
  kinds: KindLookup,
): Promise<FolderOfFiles> {
  const problems = new BlueprintProblems();
  const names = await listNames(join(root, folder), problems.of(folder));
  const files: BlueprintFile[] = [];
  for (const file of names ?? []) {
    const path = `${folder}/${file}`;
    const name = file.slice(0, -EXTENSION.length);
    const report = problems.of(path);
    if (files.length === MAX_FILES) {
      report({ message: `the folder has more than ${MAX_FILES} files`, fix: "remove some" });
      break;
    }
    if (!NAME.test(name) || RESERVED.has(name)) {
      const fix = "name it after a template: letters, digits, - and _, starting with a letter";
      report({ message: `${JSON.stringify(file)} is not a valid name`, fix });
    } else files.push({ name, path, source: await read({ root, path, kinds }, report) });
  }
  return { files, problems: problems.list, isListed: names !== null };
}

type Report = ReturnType<BlueprintProblems["of"]>;

async function listNames(folder: string, report: Report): Promise<string[] | null> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => name.endsWith(EXTENSION) && !name.startsWith(".")).sort();
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return [];
    const fix = "make it a folder that the server can read";
    report({ message: `the folder cannot be read (${code})`, fix });
    return code === "ENOTDIR" ? [] : null;
  }
}

interface DefinitionsFile {
  readonly root: string;
  readonly path: string;
  readonly kinds: KindLookup;
}

async function read(
  { root, path, kinds }: DefinitionsFile,
  report: Report,
): Promise<YamlSource | null> {
  try {
    const file = await realInside(root, join(root, path));
    const stats = file === null ? null : await lstat(file);
    if (file === null || stats?.isFile() !== true) {
      report({ message: "not a plain file in the site root", fix: "put the file itself here" });
      return null;
    }
    if (stats.size > MAX_BYTES) {
      const message = `the file has ${stats.size} bytes, at most ${MAX_BYTES} are allowed`;
      report({ message, fix: "move fields that pages share into a blueprint to extend" });
      return null;
    }
    const source = parseYamlSource(path, await readFile(file));
    for (const { line, key, received, expected, fix } of source.problems)
      report({ message: `expected ${expected}`, line, key, value: received, fix });
    if (source.problems.some(({ key }) => key === "")) return null;
    return { ...source, data: definitionTexts(source.data, source.texts, kinds) };
  } catch (error) {
    // The system's message contains paths of this machine.
    report({ message: `the file cannot be read (${errorCode(error)})`, fix: "check permissions" });
    return null;
  }
}

/** Problems that are reported of all files together. */
const MAX_PROBLEMS = 1_000;
const MAX_MESSAGE = 480;
const MAX_SHOWN = 120;

/** A mistake in a file. */
export interface BlueprintMistake {
  readonly message: string;
  readonly fix: string;
  readonly line?: number;
  readonly key?: string;
  readonly value?: unknown;
  /** Keys that lead to the place: sets line, key and value from the file. */
  readonly path?: readonly string[];
}

/** Collects problems. */
export class BlueprintProblems {
  readonly #list: ContentProblem[] = [];

  get list(): readonly ContentProblem[] {
    return this.#list;
  }

  /** Reports problems of a file below the site root; `source` locates them. */
  of(sourcePath: string, source: YamlSource | null = null): (mistake: BlueprintMistake) => void {
    return (mistake) => {
      if (this.#list.length >= MAX_PROBLEMS) return;
      const { fix } = mistake;
      const message = mistake.message.slice(0, MAX_MESSAGE);
      const what = { sourcePath, severity: "warning", code: "ERR_CONTENT_BLUEPRINT" } as const;
      this.#list.push({ ...what, message, ...locateMistake(mistake, source), fix });
    };
  }
}

/** Line, key and value, as far as they are known. */
function locateMistake(
  { path = [], ...mistake }: BlueprintMistake,
  source: YamlSource | null,
): Pick<ContentProblem, "line" | "key" | "value"> {
  const key = mistake.key ?? path.join(".");
  const line = mistake.line ?? nearestLine(source, path);
  if (key === "") return line === undefined ? {} : { line };
  const value = shortValue(mistake.value ?? lookUp(source?.data, path));
  return { ...(line !== undefined && { line }), key, ...(value !== null && { value }) };
}

/** A value as JSON, shortened; null without one. */
export function shortValue(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function lookUp(data: unknown, path: readonly string[]): unknown {
  let value = data;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return null;
    value = Object.entries(value).find(([key]) => key === name)?.[1];
  }
  return path.length === 0 ? null : value;
}
