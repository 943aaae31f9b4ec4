import { lstat, readFile, realpath, rm } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { atomicWrite, isRecord } from "#kernel";
import { readYaml } from "#lib/yaml";
import type { WriteRights } from "../../content/contract.js";
import type { FlexService } from "../../flex/contract.js";
import { type BatchMode, type Verdict, failed } from "./changes.js";

/** Site files outside the content folder: on disk, or in memory for a dry run. */
export class SiteFiles {
  readonly #root: string;
  readonly #isDry: boolean;
  readonly #marks = new Map<string, string | null>();

  constructor(root: string, { isDry }: BatchMode) {
    this.#root = root;
    this.#isDry = isDry;
  }

  /** Null when the file does not exist. */
  async read(path: string): Promise<string | null> {
    const mark = this.#marks.get(path);
    if (mark !== undefined) return mark;
    return readFile(join(this.#root, path), "utf8").catch(() => null);
  }

  /** Why a path cannot be written, or null. */
  problem(path: string): Promise<string | null> {
    return linkProblem(this.#root, path);
  }

  /** Writes a text; null deletes the file. */
  async put(path: string, text: string | null): Promise<void> {
    if (this.#isDry) this.#marks.set(path, text);
    else if (text === null) await rm(join(this.#root, path), { force: true });
    else await atomicWrite(join(this.#root, path), text, { access: "shared" });
  }
}

/**
 * Why the file system forbids a path: a symbolic link in or at the end of it; null when allowed.
 */
async function linkProblem(root: string, path: string): Promise<string | null> {
  const target = join(root, path);
  const stats = await lstat(target).catch(() => null);
  if (stats?.isSymbolicLink() === true) return `path ${JSON.stringify(path)} is a link`;
  if (stats?.isDirectory() === true) return `path ${JSON.stringify(path)} is a folder`;
  const real = await realpath(root);
  for (let at = dirname(target); ; at = dirname(at)) {
    const realPath = await realpath(at).catch(() => null);
    if (realPath === null) continue;
    const expected = at.slice(root.length);
    const isSame =
      realPath === real + expected && (realPath === real || realPath.startsWith(real + sep));
    return isSame ? null : `path ${JSON.stringify(path)} leads through a link`;
  }
}

/** `delete` of a theme or flex file. */
export async function deleteFile(files: SiteFiles, path: string): Promise<Verdict> {
  const problem = await files.problem(path);
  if (problem !== null) return { status: "error", errors: [problem] };
  try {
    if ((await files.read(path)) === null) {
      return { status: "error", errors: [`file ${JSON.stringify(path)} does not exist`] };
    }
    await files.put(path, null);
    return { status: "deleted" };
  } catch (error) {
    return failed(error);
  }
}

const THEME_FILE = /\.(tsx?|jsx?|mjs|css|ya?ml|json|svg|txt|md|html|webmanifest)$/i;
const RECORD = /^(?:flex-objects|data\/flex)\/([A-Za-z0-9_-]+)\/[A-Za-z0-9_-]+\.yaml$/;
const SCHEMA = /^(?:flex-objects|data\/flex)\/[A-Za-z0-9_-]+\.yaml$/;

/** Dependencies of a write outside the content folder. */
interface WriteDependencies {
  files: SiteFiles;
  flex: FlexService | undefined;
  /** The rights of the author decide about records. */
  rights: WriteRights;
}

/** The target of a flex path. */
type FlexPath = { kind: "record"; type: string } | { kind: "type" } | { kind: "none" };

/** The target of a path below `flex-objects/` or `data/flex/`. */
export function flexPath(path: string): FlexPath {
  const type = RECORD.exec(path)?.[1];
  if (type !== undefined) return { kind: "record", type };
  return { kind: SCHEMA.test(path) ? "type" : "none" };
}

/** A text to write. */
interface NewSiteFile {
  readonly kind: "theme" | "flex";
  /** Relative to the site root. */
  readonly path: string;
  readonly content: string;
}

/** `write` to a theme or flex file. */
export async function writeFile(
  { files, flex, rights }: WriteDependencies,
  { kind, path, content }: NewSiteFile,
): Promise<Verdict> {
  const problem =
    (await files.problem(path)) ??
    (kind === "theme" ? themeProblem(path) : flexProblem(flex, path, content)) ??
    yamlProblem(path, content);
  if (problem !== null) return { status: "error", errors: [problem] };
  try {
    const before = await files.read(path);
    if (before === content) return { status: "skipped" };
    const refusal = showsRecord(path, before, content)
      ? rights.refuse("publish", null, null)
      : null;
    if (refusal !== null) {
      return { status: "error", errors: [`${refusal}: the record would become visible`] };
    }
    await files.put(path, content);
    return { status: before === null ? "created" : "updated" };
  } catch (error) {
    return failed(error);
  }
}

function themeProblem(path: string): string | null {
  return THEME_FILE.test(path) ? null : `${JSON.stringify(path)} is not a text file of a theme`;
}

function flexProblem(flex: FlexService | undefined, path: string, content: string): string | null {
  const target = flexPath(path);
  if (target.kind === "none") return `${JSON.stringify(path)} is neither a type nor a record`;
  if (target.kind === "type") return null;
  const data: unknown = parseYaml(content);
  if (flex?.type(target.type) === undefined || !isRecord(data)) return null;
  const entries = Object.entries(data).filter(([key]) => !key.startsWith("_"));
  return flex.validate(target.type, Object.fromEntries(entries))[0]?.message ?? null;
}

/** True when the write makes a record visible. */
function showsRecord(path: string, before: string | null, content: string): boolean {
  return flexPath(path).kind === "record" && isShown(content) && !isShown(before);
}

/** True for the text of a visible record. */
function isShown(text: string | null): boolean {
  const data: unknown = text === null ? null : parseYaml(text);
  return isRecord(data) && data["published"] !== false;
}

function yamlProblem(path: string, content: string): string | null {
  if (!/\.ya?ml$/.test(path)) return null;
  const value: unknown = parseYaml(content);
  return isRecord(value) ? null : `${JSON.stringify(path)} would not be a YAML map`;
}

function parseYaml(content: string): unknown {
  const { mistake, values } = readYaml(content);
  return mistake === null ? values : undefined;
}
