import type { FieldKinds } from "#kernel";
import { z } from "zod";
import { definitionTexts, formatFieldProblem, readData, readFields } from "#kernel/internal";
import type { FlexType } from "../contract.js";
import { readYamlMap } from "../records/read-yaml.js";

/** A problem of a file; `line` where known. */
export interface FileProblem {
  readonly code: string;
  readonly message: string;
  readonly line?: number;
}
/** A type, as far as its file could be read. */
export interface ReadType {
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
