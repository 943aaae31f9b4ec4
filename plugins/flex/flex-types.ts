import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Logger, FieldKinds } from "#kernel";
import { definitionTexts, formatFieldProblem, readFields, relationKind } from "#lib/fields";
import { readData } from "#lib/schema";
import type { ContentProblem, Relations, ContentService } from "../content/contract.js";
import type { FlexType, FlexFieldError } from "./contract.js";
import {
  toProblem,
  type FlexFile,
  type FlexFiles,
  type FileProblem,
  readYamlMap,
  isFlexName,
} from "./records/flex-files.js";
import { flexPath, type UnreadFiles } from "./records/unread-files.js";

/** Dependencies of reading types. */
interface FlexTypesDependencies {
  readonly files: FlexFiles;
  readonly log: Logger;
  readonly unread: UnreadFiles;
  readonly kinds: FieldKinds;
}

/** The types of a site, as their schema files describe them. */
export class FlexTypes {
  readonly #parts: FlexTypesDependencies;
  #types: ReadonlyMap<string, FlexType> = new Map();
  #problems: readonly ContentProblem[] = [];

  constructor(parts: FlexTypesDependencies) {
    this.#parts = parts;
  }

  all(): readonly FlexType[] {
    return [...this.#types.values()];
  }

  get(name: string): FlexType | undefined {
    return this.#types.get(name);
  }

  /** Problems of the schema files. */
  get problems(): readonly ContentProblem[] {
    return this.#problems;
  }

  /** Reads the schema files and returns new, changed or deleted types; unreadable ones remain. */
  read(): readonly string[] {
    const before = this.#types;
    const files = this.#schemas();
    if (files === null) return [];
    const types = new Map<string, FlexType>();
    const problems: ContentProblem[] = [];
    for (const file of files) {
      const { type, problems: mistakes } = this.#typeOf(file, before);
      if (type !== null) types.set(file.name, type);
      problems.push(...mistakes.map((one) => toProblem(`flex-objects/${file.name}.yaml`, one)));
    }
    this.#settle(files, types);
    this.#types = types;
    this.#problems = problems;
    for (const { sourcePath, message } of problems) {
      this.#parts.log.warn("flex.schema_problem", { file: sourcePath, message });
    }
    return [...new Set([...before.keys(), ...types.keys()])].filter(
      (name) => JSON.stringify(types.get(name)) !== JSON.stringify(before.get(name)),
    );
  }

  /** Clears deleted files from the unreadable ones. */
  #settle(files: readonly FlexFile[], types: ReadonlyMap<string, FlexType>): void {
    const unreadable = files.filter(({ isUnreadable }) => isUnreadable === true);
    const paths = unreadable.map(({ name }) => `${flexPath(name)}.yaml`);
    this.#parts.unread.settle(flexPath(), new Set(paths));
    for (const name of this.#types.keys())
      if (!types.has(name)) this.#parts.unread.clear(flexPath(name));
  }

  #schemas(): readonly FlexFile[] | null {
    try {
      const files = this.#parts.files.schemas();
      this.#parts.unread.clear(flexPath());
      return files;
    } catch (error) {
      this.#parts.unread.note(flexPath(), String(error));
      return null;
    }
  }

  #typeOf(file: FlexFile, before: ReadonlyMap<string, FlexType>): ReadType {
    const path = `${flexPath(file.name)}.yaml`;
    const { name, text, problem, isUnreadable } = file;
    if (isUnreadable !== true) {
      if (problem === null) return readType(name, text, this.#parts.kinds);
      return { type: null, problems: [{ code: "ERR_FLEX_YAML", message: problem }] };
    }
    this.#parts.unread.note(path, problem ?? "");
    return { type: before.get(name) ?? null, problems: [] };
  }
}

/** A type, as far as its file could be read. */
interface ReadType {
  /** Null when the file is not a schema. */
  readonly type: FlexType | null;
  readonly problems: readonly FileProblem[];
}

const typeShape = z.object({
  title: z.string().min(1).optional(),
  icon: z.string().default(""),
  description: z.string().default(""),
  version: z.int().min(0).default(0),
  fields: z.record(z.string(), z.unknown()),
});

/** Reads a schema file. Invalid fields are skipped and reported. */
export function readType(name: string, text: string, kinds: FieldKinds): ReadType {
  const yaml = readYamlMap(text);
  if (!yaml.ok) return broken({ code: "ERR_FLEX_YAML", message: yaml.message, line: yaml.line });
  const shape = readData(typeShape, definitionTexts(yaml.value, yaml.texts, kinds));
  if (shape.mistakes !== null) {
    return broken(
      ...shape.mistakes.map(({ path, message, fix }) =>
        schemaProblem(`${path.join(".")}: ${message}; ${fix}`, yaml.lineOf(path)),
      ),
    );
  }
  const { title = name, fields: definitions, ...head } = shape.data;
  const { fields, problems } = readFields(definitions, kinds);
  return {
    type: { name, title, ...head, fields },
    problems: problems.map((problem) =>
      schemaProblem(formatFieldProblem(problem), yaml.lineOf(problem.path)),
    ),
  };
}

function broken(...problems: FileProblem[]): ReadType {
  return { type: null, problems };
}

function schemaProblem(message: string, line: number): FileProblem {
  return { code: "ERR_FLEX_SCHEMA", message, line };
}

type Values = Readonly<Record<string, unknown>>;
/** Finds what a record names in vain; `before`: the values of its file until now. */
export type MissingRelations = (
  type: FlexType,
  values: Values,
  before: Values | null,
) => Promise<readonly FlexFieldError[]>;

/** Finds relations of records that lead nowhere; `lang`: language of the pages that they name. */
export function missingRelations(
  relations: Pick<Relations, "missing">,
  lang: string,
): MissingRelations {
  return async ({ fields }, values, before) => {
    const errors = await relations.missing({ fields, values, lang, before });
    return errors.map((error) => ({ ...error, code: "ERR_FLEX_RELATION" }));
  };
}

/** Adds the kinds `record` and `records`; `folder`: absolute path of the records. */
export function addRecordKinds(content: ContentService, folder: string): void {
  const form = (key: string): string | null =>
    key.split("/").length <= 2 && key.split("/").every(isFlexName)
      ? null
      : "must be the id of a record, or its type and id: product/chair.";
  content.addFieldKind("record", relationKind({ target: "record", isList: false, form }));
  content.addFieldKind("records", relationKind({ target: "record", isList: true, form }));
  content.relations.addTarget("record", (key, of) => {
    const [first = "", second] = key.split("/");
    const [only] = of;
    const type = second === undefined ? (of.length === 1 ? only : undefined) : first;
    if (type === undefined || (of.length > 0 && !of.includes(type))) return false;
    return existsSync(join(folder, type, `${second ?? first}.yaml`));
  });
}
