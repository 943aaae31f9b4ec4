/** Checks of what plugins declare, for authors whose compiler does not: each problem names the key. */
import {
  expectOneOf,
  expectText,
  nearest,
  expectEach,
  expectFields,
  expectKind,
  expectOptional as optional,
  shownValue,
  type ValueCheck,
} from "#lib/values";
import { expectCsp, expectRoutePath } from "#lib/http";
import type { Command, Plugin, RouteDefinition } from "./contracts.js";

/** The check of each key that a declaration may have; `nothing` among the kinds makes it optional. */
type Keys<T> = { readonly [K in keyof Required<T>]: ValueCheck };

const NAME = /^[a-z][a-z0-9-]*$/;
const COMMAND = /^[a-z][\w:-]*$/;
/** Flags as the command line reads them: `--json`, `-o, --out <folder>`. */
const OPTION = /^(?:-[A-Za-z], )?--[a-z][\w-]*(?: (?:<[^<>]+>|\[[^[\]]+\]))?$/;

const text = expectKind("string");
const texts = optional(expectEach(text));
const flag = expectKind("boolean", "nothing");

const pluginName: ValueCheck = (value) =>
  typeof value === "string" && NAME.test(value)
    ? null
    : `expected lower-case letters, digits and dashes, received ${shownValue(value)}`;

/** A version as semver.org defines it: `1.0.0`, `1.0.0-beta.2+build`. */
const VERSION = /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[\w.-]+)?(?:\+[\w.-]+)?$/;

const version: ValueCheck = (value) =>
  typeof value === "string" && VERSION.test(value)
    ? null
    : `expected a version such as 1.0.0, received ${shownValue(value)}`;

/** A zod schema: of any version, as its methods are what is used. */
const schema: ValueCheck = (value) =>
  typeof value === "object" &&
  value !== null &&
  typeof Reflect.get(value, "safeParse") === "function"
    ? null
    : `expected a zod schema, received ${shownValue(value)}`;

/** An object whose values pass a check; a problem names the key. */
const each =
  (check: ValueCheck): ValueCheck =>
  (value) => {
    const problem = expectKind("object")(value);
    if (problem !== null) return problem;
    for (const [key, one] of Object.entries(Object(value))) {
      const wrong = check(one);
      if (wrong !== null) return at(key, wrong);
    }
    return null;
  };

const handler: ValueCheck = (value) => {
  if (typeof value === "function") return null;
  const isOrdered = typeof value === "object" && value !== null && "handler" in value;
  return isOrdered
    ? expectFields({
        handler: ["function"],
        before: ["string", "nothing"],
        after: ["string", "nothing"],
      })(value)
    : `expected a function, or { handler, before, after }, received ${shownValue(value)}`;
};

const COMMAND_KEYS: Keys<Command> = {
  name: (value) =>
    typeof value === "string" && COMMAND.test(value)
      ? null
      : `expected a name such as shop:sync, received ${shownValue(value)}`,
  summary: expectText,
  arguments: expectKind("string", "nothing"),
  options: optional(
    expectEach((value) =>
      Array.isArray(value) && value.length === 2 && OPTION.test(String(value[0]))
        ? text(value[1])
        : `expected flags and a help text, such as ["--out <folder>", "where to write"], received ${shownValue(value)}`,
    ),
  ),
  run: expectKind("function"),
};

const PLUGIN_KEYS: Keys<Plugin> = {
  name: pluginName,
  version,
  description: expectKind("string", "nothing"),
  engine: expectKind("string", "nothing"),
  requires: texts,
  after: texts,
  optional: flag,
  onlyServing: flag,
  settings: optional(settingsProblem),
  check: expectKind("function", "nothing"),
  inspect: expectKind("function", "nothing"),
  config: optional(schema),
  errors: optional(each(text)),
  fires: expectKind("object", "list", "nothing"),
  hooks: optional(each(handler)),
  commands: (value) => (typeof value === "function" ? null : commandsProblem(value)),
  diagnostics: expectKind("list", "function", "nothing"),
  templates: expectKind("string", "nothing"),
  setup: expectKind("function", "nothing"),
};

const METHODS = ["get", "post", "put", "patch", "delete"] as const;

const ROUTE_KEYS: Keys<RouteDefinition> = {
  method: expectOneOf(...METHODS),
  path: expectRoutePath,
  summary: expectText,
  tag: expectKind("string", "nothing"),
  query: optional(schema),
  parameters: expectKind("function", "nothing"),
  body: optional((value) =>
    declarationProblem(value, {
      as: (as) =>
        ["json", "form", "raw", "none"].includes(String(as))
          ? null
          : `expected json, form, raw or none, received ${shownValue(as)}`,
      limit: expectKind("number"),
      schema: optional(schema),
    }),
  ),
  responses: optional(each((value) => (value === null ? null : schema(value)))),
  hidden: flag,
  permission: expectKind("string", "nothing"),
  override: flag,
  csp: optional(expectCsp),
  tool: expectKind("object", "nothing"),
  handler: expectKind("function"),
};

/** The problem of a list of commands; null: none. */
export const commandsProblem: ValueCheck = optional(
  expectEach((value) => declarationProblem(value, COMMAND_KEYS)),
);

/** The problem of a plugin's declaration; null: none. */
export function pluginProblem(value: unknown): string | null {
  return declarationProblem(value, PLUGIN_KEYS);
}

/** Shows how to write the key that a problem of a plugin's declaration begins with. */
export function pluginFix(problem: string): string {
  if (problem.startsWith("unknown key")) return "rename it, or remove it";
  const key = /^"(\w+)"/.exec(problem)?.[1] ?? "";
  return PLUGIN_EXAMPLES[key] ?? "export default definePlugin({ name, version, … })";
}

const PLUGIN_EXAMPLES: Readonly<Record<string, string>> = {
  name: 'name: "shop"',
  version: 'version: "1.0.0"',
  description: 'description: "what it does"',
  engine: 'engine: "^1.0.0"',
  requires: 'requires: ["content"]',
  after: 'after: ["content"]',
  optional: "optional: true",
  onlyServing: "onlyServing: true",
  settings: 'settings: { site: z.object({ tides: z.string().default("Kiel") }) }',
  check: "check: (settings) => []",
  inspect: "inspect: (settings, place) => []",
  config: 'config: z.strictObject({ currency: z.string().default("EUR") })',
  errors: 'errors: { ERR_SHOP_CLOSED: "The shop is closed." }',
  fires: "fires: [onOrderPaid]",
  hooks: "hooks: { onPageLoaded({ data }) { … } }",
  commands: 'commands: [{ name: "shop:sync", summary: "…", run: async ({ out }) => { … } }]',
  diagnostics: 'diagnostics: [{ name: "shop", run: () => [{ level: "ok", seen: "…" }] }]',
  templates: 'templates: fileURLToPath(new URL("templates", import.meta.url))',
  setup: "setup(site) { … }",
};

/** The problem of a route's declaration, or of its description without a handler; null: none. */
export function routeProblem(value: unknown, { isDescribed = false } = {}): string | null {
  const keys = isDescribed ? { ...ROUTE_KEYS, handler: expectKind("nothing") } : ROUTE_KEYS;
  return declarationProblem(value, keys);
}

function declarationProblem(
  value: unknown,
  keys: Readonly<Record<string, ValueCheck>>,
): string | null {
  const problem = expectKind("object")(value);
  if (problem !== null) return problem;
  const names = Object.keys(keys);
  for (const key of Object.keys(Object(value))) {
    if (Object.hasOwn(keys, key)) continue;
    const meant = nearest(key, names);
    const hint = meant === null ? `known keys: ${names.join(", ")}` : `did you mean "${meant}"?`;
    return `unknown key "${key}"; ${hint}`;
  }
  for (const [key, check] of Object.entries(keys)) {
    const wrong = check(Reflect.get(Object(value), key));
    if (wrong !== null) return at(key, wrong);
  }
  return null;
}

/** Schemas by configuration file: `settings: { site: z.object({ … }) }`. */
function settingsProblem(value: unknown): string | null {
  return declarationProblem(value, {
    site: optional(objectSchema),
    system: optional(objectSchema),
    admin: optional(objectSchema),
  });
}

function objectSchema(value: unknown): string | null {
  const isObject = schema(value) === null && Reflect.has(Object(value), "shape");
  return isObject ? null : `expected z.object({ … }), received ${shownValue(value)}`;
}

function at(key: string, problem: string): string {
  return `"${key}": ${problem}`;
}
