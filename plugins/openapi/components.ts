import { z } from "zod";
import { isRecord } from "#kernel";
import type { JsonObject } from "./contract.js";

const SCHEMAS = "#/components/schemas/";

/** The schema of every API error. */
export const errorSchema = z
  .object({
    error: z.string().describe("What is wrong and how to fix it"),
    details: z
      .array(z.unknown())
      .optional()
      .describe("For validation errors: one entry per problem"),
  })
  .meta({ id: "Error", description: "Every error of the API" });

/** The named schemas of a document, each defined once and referenced elsewhere. */
export class Components {
  readonly schemas: Record<string, JsonObject> = {};
  readonly #unnamed = new Map<string, string>();

  /** The JSON Schema of a request (`input`) or response (`output`). */
  schema(type: z.ZodType, io: "input" | "output"): JsonObject {
    const generated: JsonObject = z.toJSONSchema(type, { io, unrepresentable: "any" });
    const { $schema: _dialect, $defs: definitions, ...schema } = generated;
    const all = Object.entries(toObject(definitions));
    const names = new Map(all.map(([name, definition]) => [name, this.#nameOf(name, definition)]));
    for (const [name, definition] of all) {
      const placed = toObject(relocate(withoutLimits(definition), names));
      this.schemas[names.get(name) ?? name] ??= placed;
    }
    return toObject(relocate(withoutLimits(schema), names));
  }

  /** Names a recursive schema that has no name; the same schema gets the same name. */
  #nameOf(name: string, definition: unknown): string {
    if (!name.startsWith("__")) return name;
    const text = JSON.stringify(definition);
    const assigned = this.#unnamed.get(text) ?? `Recursive${this.#unnamed.size + 1}`;
    this.#unnamed.set(text, assigned);
    return assigned;
  }
}

/** The value if it is an object, else an empty object. */
export function toObject(value: unknown): JsonObject {
  return isRecord(value) ? { ...value } : {};
}

/** Definitions are in the document, not in each schema; their own `id` is redundant. */
function relocate(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => relocate(item, names));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== "id" || !isNamed(value));
  return Object.fromEntries(
    entries.map(([key, item]) => {
      if (key !== "$ref" || typeof item !== "string") return [key, relocate(item, names)];
      const name = item.replace("#/$defs/", "");
      return [key, SCHEMAS + (names.get(name) ?? name)];
    }),
  );
}

/** True for a schema with an `id`; a property of that name would be an object. */
function isNamed(value: object): boolean {
  return "id" in value && typeof value.id === "string";
}

/** The bounds of safe integers are not a rule of the API. */
function withoutLimits(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLimits);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(
    ([, item]) => Math.abs(Number(item)) !== Number.MAX_SAFE_INTEGER,
  );
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutLimits(item)]));
}
