import type { Logger, FieldKinds } from "#kernel";
import type { ContentProblem } from "../../content/contract.js";
import type { FlexType } from "../contract.js";
import type { FlexFile, FlexFiles } from "../records/flex-files.js";
import { toProblem } from "../records/loaded-records.js";
import { readType, type ReadType } from "./type-schema.js";
import { flexPath, type UnreadFiles } from "../records/unread-files.js";

/** What reading types needs. */
export interface FlexTypesParts {
  readonly files: FlexFiles;
  readonly log: Logger;
  readonly unread: UnreadFiles;
  readonly kinds: FieldKinds;
}

/** The types of a site, as their schema files describe them. */
export class FlexTypes {
  readonly #parts: FlexTypesParts;
  #types: ReadonlyMap<string, FlexType> = new Map();
  #problems: readonly ContentProblem[] = [];

  constructor(parts: FlexTypesParts) {
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
      const { type, problems: found } = this.#typeOf(file, before);
      if (type !== null) types.set(file.name, type);
      problems.push(...found.map((one) => toProblem(`flex-objects/${file.name}.yaml`, one)));
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
    if (file.isUnreadable !== true) return typeOf(file, this.#parts.kinds);
    this.#parts.unread.note(path, file.problem ?? "");
    return { type: before.get(file.name) ?? null, problems: [] };
  }
}

function typeOf({ name, text, problem }: FlexFile, kinds: FieldKinds): ReadType {
  if (problem === null) return readType(name, text, kinds);
  return { type: null, problems: [{ code: "ERR_FLEX_YAML", message: problem }] };
}
