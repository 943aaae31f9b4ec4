// Valid values generated from schemas, one for each branch of their unions.
import { z, type ZodType } from "zod";
import { isRecord } from "#kernel";

type Schema = Readonly<Record<string, unknown>>;

/** What a request is about: values for properties by their names. */
export interface SubjectValues {
  /** Values for a property; undefined: any value that the schema accepts. */
  of(name: string): readonly unknown[] | undefined;
  /** True for an optional property that every value has, if its name is known. */
  isAlways(name: string): boolean;
}

/** Texts of the forms that schemas ask for. */
const TEXTS = [
  "value",
  "/value",
  "a1b2c3d4",
  "value@example.org",
  "2027-06-01T08:00:00Z",
  "2027-06-01",
  "https://site.example/value",
  "correct horse battery",
  "123456",
  "abcdef0123456789",
  "abcdef0123456789abcdef0123456789",
  "abcdef0123456789abcdef0123456789abcdef01",
  "abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789",
  "01ARZ3NDEKTSV4RRFFQ69G5FAV",
  "dmFsdWU=",
];

const MAX_DEPTH = 12;

/** The values, the smallest first; the schema accepts each of them. Empty: none could be generated. */
export function validValues(type: ZodType, known: SubjectValues): unknown[] {
  // A known name may mean something else here.
  const others = [
    { ...known, isAlways: () => false },
    { of: () => undefined, isAlways: () => false },
  ];
  return [known, ...others].map((one) => accepted(type, one)).find((one) => one.length > 0) ?? [];
}

function accepted(type: ZodType, known: SubjectValues): unknown[] {
  const generated = z.toJSONSchema(type, { io: "input", unrepresentable: "any" });
  const schema: Schema = isRecord(generated) ? generated : {};
  const values = new Generator(schema, known).variants(schema, "");
  const distinct = new Map(values.map((value) => [JSON.stringify(value), value]));
  return [...distinct.values()].filter((value) => type.safeParse(value).success);
}

class Generator {
  readonly #root: Schema;
  readonly #known: SubjectValues;
  #depth = 0;

  constructor(root: Schema, known: SubjectValues) {
    this.#root = root;
    this.#known = known;
  }

  /** Values of a schema; the first is the base that others are built on. */
  variants(given: Schema, name: string): unknown[] {
    const schema = this.#resolved(given);
    if ("const" in schema) return [schema["const"]];
    if (Array.isArray(schema["enum"])) return [...schema["enum"]];
    const values = name === "" ? undefined : this.#known.of(name);
    if (values !== undefined) return this.#shaped(schema, values);
    // A schema may contain itself.
    if (this.#depth > MAX_DEPTH) return [null];
    this.#depth += 1;
    const found = this.#branches(schema, name);
    this.#depth -= 1;
    return found;
  }

  #branches(schema: Schema, name: string): unknown[] {
    const branches = [schema["anyOf"], schema["oneOf"]].find(Array.isArray);
    if (branches !== undefined) {
      return branches.filter(isRecord).flatMap((branch) => this.variants(branch, name));
    }
    if (Array.isArray(schema["allOf"])) {
      return this.variants(Object.assign({}, schema, ...schema["allOf"], { allOf: null }), name);
    }
    return this.#ofType(schema, name);
  }

  /** A list of a known value where the schema wants a list. */
  #shaped(schema: Schema, values: readonly unknown[]): unknown[] {
    const isList = schema["type"] === "array" && !values.every(Array.isArray);
    if (isList) return values.map((value) => [value]);
    const { pattern } = schema;
    if (typeof pattern !== "string") return [...values];
    const expression = new RegExp(pattern, "u");
    const fitting = values.filter((value) => expression.test(String(value)));
    return fitting.length > 0 ? fitting : [textOf(schema)];
  }

  #ofType(schema: Schema, name: string): unknown[] {
    const [type] = [schema["type"]].flat();
    switch (type) {
      case "object":
        return this.#objects(schema);
      case "array":
        return this.#lists(schema, name);
      case "string":
        return [textOf(schema)];
      case "integer":
      case "number":
        return [Math.max(1, Number(schema["minimum"] ?? 1))];
      case "boolean":
        return [schema["default"] ?? false];
      case "null":
        return [null];
      default:
        return ["value"];
    }
  }

  #objects(schema: Schema): unknown[] {
    const required = new Set([schema["required"]].flat());
    const base: Record<string, unknown> = {};
    const others: Record<string, unknown>[] = [];
    for (const [name, property] of Object.entries(recordOf(schema["properties"]))) {
      const isKnown = this.#known.of(name) !== undefined;
      const isIn = required.has(name) || (isKnown && this.#known.isAlways(name));
      if (!isIn && !isKnown) continue;
      const [first, ...more] = this.variants(recordOf(property), name);
      if (isIn) base[name] = first;
      else others.push({ [name]: first });
      others.push(...more.map((value) => ({ [name]: value })));
    }
    return [base, ...others.map((other) => ({ ...base, ...other }))];
  }

  #lists(schema: Schema, name: string): unknown[] {
    const items = recordOf(schema["items"]);
    const isFilled =
      Number(schema["minItems"] ?? 0) > 0 || this.#resolved(items)["type"] !== "string";
    if (!isFilled || Object.keys(items).length === 0) return [[]];
    return this.variants(items, name).map((value) => [value]);
  }

  #resolved(schema: Schema): Schema {
    const { $ref: reference } = schema;
    if (typeof reference !== "string") return schema;
    const name = reference.replace(/^#\/\$defs\//, "");
    return reference === "#" ? this.#root : recordOf(recordOf(this.#root["$defs"])[name]);
  }
}

function textOf(schema: Schema): unknown {
  const [pattern, least] = [String(schema["pattern"] ?? ""), Number(schema["minLength"] ?? 0)];
  const expression = new RegExp(pattern, "u");
  const texts = TEXTS.map((text) => text.padEnd(least, "x"));
  return texts.find((text) => expression.test(text)) ?? "value";
}

function recordOf(value: unknown): Schema {
  return isRecord(value) ? value : {};
}
