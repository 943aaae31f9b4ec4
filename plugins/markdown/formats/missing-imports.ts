/** MDX whose imports are missing: its text without what they would have given. */
import { isRecord } from "#kernel";
import { errorCode } from "#lib/errors";
import { pathToFileURL } from "node:url";

/** An import that cannot be loaded. */
export interface MissingImport {
  /** The package or file, as it is written. */
  readonly name: string;
  /** In the body, from 1. */
  readonly line: number;
}

/** Codes of Node.js for what is not there, or is no module: a picture, a style sheet, a part in MDX. */
const MISSING: ReadonlySet<string> = new Set([
  "ERR_MODULE_NOT_FOUND",
  "ERR_UNKNOWN_FILE_EXTENSION",
  "ERR_UNSUPPORTED_DIR_IMPORT",
  "ERR_PACKAGE_PATH_NOT_EXPORTED",
  "ERR_PACKAGE_IMPORT_NOT_DEFINED",
  "ERR_INVALID_MODULE_SPECIFIER",
]);

/** True for the error of an import that cannot be loaded. */
export function isMissingImport(error: unknown): boolean {
  return MISSING.has(errorCode(error) ?? "");
}

/** A plugin of remark that takes out missing imports and all that uses them; text inside of components stays. */
export function dropMissing(file: string, missing: MissingImport[]) {
  return () =>
    async (tree: unknown): Promise<void> => {
      const names = new Set<string>();
      for (const node of childrenOf(tree)) await readImports(node, file, { names, missing });
      if (names.size > 0) dropNames(tree, names);
    };
}

interface Found {
  /** Names of the missing imports in the text. */
  readonly names: Set<string>;
  readonly missing: MissingImport[];
}

/** Takes the missing imports of a node out of it. */
async function readImports(node: unknown, file: string, { names, missing }: Found): Promise<void> {
  const program = valueAt(node, "data", "estree");
  const body = valueAt(program, "body");
  if (!isRecord(program) || !Array.isArray(body)) return;
  const kept: unknown[] = [];
  for (const statement of body as readonly unknown[]) {
    const name = valueAt(statement, "source", "value");
    const isImport = valueAt(statement, "type") === "ImportDeclaration";
    if (!isImport || typeof name !== "string" || (await canImport(name, file))) {
      kept.push(statement);
      continue;
    }
    missing.push({ name, line: lineOf(statement) ?? lineOf(node) ?? 1 });
    for (const local of localNames(statement)) names.add(local);
  }
  program["body"] = kept;
}

/** The names that an import gives to what it imports. */
function localNames(statement: unknown): string[] {
  const specifiers = valueAt(statement, "specifiers");
  return (Array.isArray(specifiers) ? specifiers : []).flatMap((one: unknown) => {
    const name = valueAt(one, "local", "name");
    return typeof name === "string" ? [name] : [];
  });
}

/** The value at the keys; undefined without one. */
function valueAt(value: unknown, ...keys: readonly string[]): unknown {
  let at = value;
  for (const key of keys) at = isRecord(at) ? at[key] : undefined;
  return at;
}

/** False when Node.js does not find a module. One that fails by itself counts as found: its error is shown. */
async function canImport(name: string, file: string): Promise<boolean> {
  try {
    const isPath = /^(?:\.{0,2}\/)/.test(name);
    await import(isPath ? new URL(name, pathToFileURL(file)).href : name);
    return true;
  } catch (error) {
    return !isMissingImport(error);
  }
}

/** Replaces elements of the names by what is in them, and drops expressions and statements that use one. */
function dropNames(parent: unknown, names: ReadonlySet<string>): void {
  if (!isRecord(parent) || !Array.isArray(parent["children"])) return;
  parent["children"] = childrenOf(parent).flatMap((node): unknown[] => {
    dropNames(node, names);
    if (!isRecord(node)) return [node];
    const { type, name } = node;
    if (type === "mdxjsEsm") return usesName(withoutImports(node), names) ? [] : [node];
    if (type === "mdxFlowExpression" || type === "mdxTextExpression")
      return usesName(node["value"], names) ? [] : [node];
    if (type !== "mdxJsxFlowElement" && type !== "mdxJsxTextElement") return [node];
    if (typeof name === "string" && names.has(name.split(".")[0] ?? ""))
      return [...childrenOf(node)];
    const attributes = Array.isArray(node["attributes"]) ? node["attributes"] : [];
    node["attributes"] = attributes.filter((one: unknown) => {
      const value = isRecord(one) ? one["value"] : null;
      return !usesName(isRecord(value) ? value["value"] : null, names);
    });
    return [node];
  });
}

/** The source of statements, without the lines of imports. */
function withoutImports(node: Readonly<Record<string, unknown>>): string {
  const text = typeof node["value"] === "string" ? node["value"] : "";
  return text
    .split("\n")
    .filter((line) => !/^\s*import\b/.test(line))
    .join("\n");
}

function usesName(source: unknown, names: ReadonlySet<string>): boolean {
  if (typeof source !== "string") return false;
  return (source.match(/[\w$]+/g) ?? []).some((word) => names.has(word));
}

function childrenOf(node: unknown): readonly unknown[] {
  return isRecord(node) && Array.isArray(node["children"]) ? node["children"] : [];
}

function lineOf(node: unknown): number | null {
  const line = valueAt(node, "loc", "start", "line") ?? valueAt(node, "position", "start", "line");
  return typeof line === "number" ? line : null;
}
