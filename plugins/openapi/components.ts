import { z } from "zod";
import { isRecord } from "#kernel";
import type { JsonObject } from "./contract.js";

const SCHEMAS = "#/components/schemas/";

/** What every error of the API looks like. */
export const errorSchema = z
  .object({
    error: z.string().describe("What was wrong, and what to do"),
    details: z.array(z.unknown()).optional().describe("Of a validation: one entry per problem"),
  })
  .meta({ id: "Error", description: "Every error of the API" });

/** The named schemas of a document: each is written once, where others refer to it. */
export class Components {
  readonly schemas: Record<string, JsonObject> = {};
  readonly #unnamed = new Map<string, string>();

  /** The JSON Schema of what a client sends (`input`) or gets (`output`). */
  schema(type: z.ZodType, io: "input" | "output"): JsonObject {
    const made: JsonObject = z.toJSONSchema(type, { io, unrepresentable: "any" });
    const { $schema: _dialect, $defs: definitions, ...schema } = made;
    const all = Object.entries(toObject(definitions));
    const names = new Map(all.map(([name, definition]) => [name, this.#nameOf(name, definition)]));
    for (const [name, definition] of all) {
      const placed = toObject(relocate(withoutLimits(definition), names));
      this.schemas[names.get(name) ?? name] ??= placed;
    }
    return toObject(relocate(withoutLimits(schema), names));
  }

  /** A schema that holds itself and has no name gets one, the same for the same schema. */
  #nameOf(name: string, definition: unknown): string {
    if (!name.startsWith("__")) return name;
    const text = JSON.stringify(definition);
    const known = this.#unnamed.get(text) ?? `Recursive${this.#unnamed.size + 1}`;
    this.#unnamed.set(text, known);
    return known;
  }
}

/** The members of an object; none of anything else. */
export function toObject(value: unknown): JsonObject {
  return isRecord(value) ? { ...value } : {};
}

/** Definitions stand in the document, not in each schema; their own `id` says nothing there. */
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

/** A schema with an `id`; a property of that name is an object. */
function isNamed(value: object): boolean {
  return "id" in value && typeof value.id === "string";
}

/** The bounds of safe integers are no rule of the API. */
function withoutLimits(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLimits);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(
    ([, item]) => Math.abs(Number(item)) !== Number.MAX_SAFE_INTEGER,
  );
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutLimits(item)]));
}
