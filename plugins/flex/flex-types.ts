import type { Logger } from "#kernel";
import type { ContentProblem } from "../content/contract.js";
import type { FlexType } from "./contract.js";
import type { FlexFile, FlexFiles } from "./flex-files.js";
import { toProblem } from "./loaded-records.js";
import { readType, type ReadType } from "./type-schema.js";

/** The types of a site, as their schema files describe them. */
export class FlexTypes {
  readonly #files: FlexFiles;
  readonly #log: Logger;
  #types: ReadonlyMap<string, FlexType> = new Map();
  #problems: readonly ContentProblem[] = [];

  constructor(files: FlexFiles, log: Logger) {
    this.#files = files;
    this.#log = log;
  }

  all(): readonly FlexType[] {
    return [...this.#types.values()];
  }

  get(name: string): FlexType | undefined {
    return this.#types.get(name);
  }

  /** What of the schema files cannot be used. */
  get problems(): readonly ContentProblem[] {
    return this.#problems;
  }

  /** Reads the schema files. The names of types that are new, changed or gone. */
  read(): readonly string[] {
    const before = this.#types;
    const types = new Map<string, FlexType>();
    const problems: ContentProblem[] = [];
    for (const file of this.#files.schemas()) {
      const { type, problems: found } = typeOf(file);
      if (type !== null) types.set(file.name, type);
      problems.push(...found.map((one) => toProblem(`flex-objects/${file.name}.yaml`, one)));
    }
    this.#types = types;
    this.#problems = problems;
    for (const { sourcePath, message } of problems) {
      this.#log.warn("flex.schema-problem", { file: sourcePath, message });
    }
    return [...new Set([...before.keys(), ...types.keys()])].filter(
      (name) => JSON.stringify(types.get(name)) !== JSON.stringify(before.get(name)),
    );
  }
}

function typeOf({ name, text, problem }: FlexFile): ReadType {
  if (problem === null) return readType(name, text);
  return { type: null, problems: [{ code: "ERR_FLEX_YAML", message: problem }] };
}
