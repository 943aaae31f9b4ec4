import { readFileSync } from "node:fs";
import { runningFile } from "#kernel/internal";
import { toTypeName } from "./json-schema-type.js";

const VERSION = "1.0.0";
const TSCONFIG = {
  compilerOptions: {
    target: "es2023",
    // Without the types of browsers, which take time and which no plugin needs.
    lib: ["es2023"],
    module: "nodenext",
    strict: true,
    noEmit: true,
    types: ["node"],
    skipLibCheck: true,
  },
};
/** For a plugin with a route: its block in site.yaml, the query, and the response. */
const ROUTE_INPUT = [
  "/** The `config:` block of site.yaml. */",
  "const config = z.strictObject({",
  '  greeting: z.string().max(100).default("Hello").describe("First word of the response"),',
  "});",
  'const query = z.object({ name: z.string().max(100).default("you") });',
  "",
];

/** The requested features of a plugin. */
export interface PluginWishes {
  name: string;
  hooks: readonly string[];
  engine: EngineSlotName | null;
  /** `/api/boats`; null: no route. */
  route: string | null;
}

/** The `src` of the plugin in site.yaml. */
export function sourceOf(name: string): string {
  return `./plugins/${name}/index.ts`;
}

/** Tells Node and the compiler that the files are modules, in any site. */
function packageFile(name: string) {
  return { name, version: VERSION, private: true, type: "module", exports: "./index.ts" };
}

/** Files of a plugin with the requested features and a passing test. */
export function pluginStub(wishes: PluginWishes): ReadonlyMap<string, string> {
  const folder = `plugins/${wishes.name}`;
  const engine = wishes.engine === null ? null : engineStub(wishes.engine, wishes.name);
  const files = new Map([
    [sourceOf(wishes.name).slice(2), pluginFile(wishes, engine)],
    [`${folder}/${wishes.name}.test.ts`, testFile(wishes, engine)],
    [`${folder}/README.md`, readme(wishes)],
    [`${folder}/package.json`, json(packageFile(wishes.name))],
    [`${folder}/tsconfig.json`, json(TSCONFIG)],
  ]);
  if (engine !== null) files.set(`${folder}/${engine.file}`, engine.text);
  return files;
}

function pluginFile(wishes: PluginWishes, engine: EngineStub | null): string {
  const { name, hooks, route } = wishes;
  const handlers = hooks.map(hookHandler);
  if (engine !== null) handlers.push(engine.handler);
  return text([
    'import { definePlugin } from "sitewright";',
    'import type {} from "sitewright/plugins";',
    ...(route === null ? [] : ['import { z } from "zod";']),
    ...(engine === null ? [] : [engine.imports]),
    "",
    ...(route === null ? [] : ROUTE_INPUT),
    "export default definePlugin({",
    `  name: ${JSON.stringify(name)},`,
    `  version: ${JSON.stringify(VERSION)},`,
    ...(route === null ? [] : ["  config,"]),
    ...(engine === null ? [] : [`  requires: [${JSON.stringify(engine.requires)}],`]),
    ...(handlers.length === 0
      ? []
      : ["  hooks: {", ...handlers.flatMap((one) => indented(one, 4)), "  },"]),
    ...setup(wishes),
    "});",
  ]);
}

function setup({ name, route, hooks, engine }: PluginWishes): string[] {
  if (route === null && (hooks.length > 0 || engine !== null)) return [];
  const body =
    route === null
      ? [`site.log.info(${JSON.stringify(`${name}.ready`)});`]
      : [
          "site.http.route({",
          '  method: "get",',
          `  path: ${JSON.stringify(route)},`,
          `  summary: ${JSON.stringify(`Greeting of ${name}`)},`,
          "  query,",
          "  responses: { 200: z.object({ text: z.string() }) },",
          "  handler: (req, res, { query: { name } }) =>",
          "    site.http.json(req, res, { text: `${site.config.greeting}, ${name}` }),",
          "});",
        ];
  return ["  setup(site) {", ...indented(body.join("\n"), 4), "  },"];
}

function hookHandler(hook: string): string {
  return [
    `${hook}({ data, log }) {`,
    `  log.debug(${JSON.stringify(hook)}, { keys: Object.keys(data) });`,
    "},",
  ].join("\n");
}

function testFile({ name, hooks, route }: PluginWishes, engine: EngineStub | null): string {
  const fromTesting = ["createTestSite", ...(engine === null ? [] : [engine.suite])].sort();
  const fromNode = ["describe", "it"];
  if (engine?.suite.endsWith("StoreContract")) fromNode.unshift("afterEach", "beforeEach");
  return text([
    'import assert from "node:assert/strict";',
    `import { ${fromNode.join(", ")} } from "node:test";`,
    `import { ${fromTesting.join(", ")} } from "sitewright/testing";`,
    ...(engine === null ? [] : [engine.imports]),
    "",
    `describe(${JSON.stringify(name)}, () => {`,
    '  it("runs on a site and leaves nothing open", async () => {',
    '    const plugin = new URL("./index.ts", import.meta.url);',
    route === null
      ? "    await using test = await createTestSite({ plugins: [plugin] });"
      : '    await using test = await createTestSite({ plugins: [{ plugin, config: { greeting: "Ahoy" } }] });',
    '    assert.equal((await test.fetch("/health/ready")).status, 200);',
    ...(route === null
      ? []
      : [
          `    const response = await test.fetch(${JSON.stringify(`${route}?name=sea`)});`,
          '    assert.deepEqual(await response.json(), { text: "Ahoy, sea" });',
        ]),
    ...hooks.map(
      (hook) => `    assert.ok(test.site.context("test").hooks.has(${JSON.stringify(hook)}));`,
    ),
    "    assert.deepEqual(await test.leaks(), []);",
    "  });",
    "});",
    ...(engine === null ? [] : ["", ...engine.suiteCall]),
  ]);
}

function readme({ name, engine, route }: PluginWishes): string {
  const select = engine === "search" ? ["", "# system.yaml", "search:", `  engine: ${name}`] : [];
  return text([
    `# ${name}`,
    "",
    "Select it in `site.yaml`:",
    "",
    "```yaml",
    "plugins:",
    `  ${name}:`,
    `    src: ${sourceOf(name)}`,
    ...(route === null ? [] : ["    config: { greeting: Ahoy }"]),
    ...select,
    "```",
    "",
    "Run its test and the type checker:",
    "",
    "```sh",
    `npx sitewright plugins:test ${name}`,
    `npx --yes -p typescript tsc -p plugins/${name}`,
    "```",
  ]);
}

function indented(code: string, spaces: number): string[] {
  return code.split("\n").map((line) => " ".repeat(spaces) + line);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function text(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

/** Slots with a stub. */
export const ENGINE_SLOTS = ["search", "userStore", "sessionStore"] as const;
/** A slot with a stub. */
export type EngineSlotName = (typeof ENGINE_SLOTS)[number];

/** An engine's file, and the parts that plugin and test need. */
interface EngineStub {
  file: string;
  text: string;
  /** Plugin that opens the slot. */
  requires: string;
  /** Import of the engine's factory, in the plugin and in its test. */
  imports: string;
  handler: string;
  /** Name of the conformance suite. */
  suite: string;
  /** Lines that run it. */
  suiteCall: readonly string[];
}

interface Slot {
  scaffold: string;
  requires: string;
  hook: string;
  suite: string;
}

const SLOTS: Readonly<Record<EngineSlotName, Slot>> = {
  search: {
    scaffold: "search-engine.ts",
    requires: "search",
    hook: "onSearchEngineCreate",
    suite: "searchEngineContract",
  },
  userStore: {
    scaffold: "user-store.ts",
    requires: "users",
    hook: "onUserStoreCreate",
    suite: "userStoreContract",
  },
  sessionStore: {
    scaffold: "session-store.ts",
    requires: "session",
    hook: "onSessionStoreCreate",
    suite: "sessionStoreContract",
  },
};

/** An engine that stores everything in memory and passes the suite of its slot. */
function engineStub(slot: EngineSlotName, name: string): EngineStub {
  const { scaffold, requires, hook, suite } = SLOTS[slot];
  const create = `create${toTypeName(name)}`;
  const source = readFileSync(runningFile(`plugins/codegen/scaffold/${scaffold}`), "utf8");
  const quoted = JSON.stringify(name);
  const isSearch = slot === "search";
  const register = `  data.register(${quoted}, ${create}(${isSearch ? "data.tools" : ""}));`;
  // Search engines are activated by the configuration; it only names first-party stores.
  const activate = isSearch ? [] : [`  data.activate(${quoted});`];
  return {
    file: "engine.ts",
    text: source.replace("createEngine", create),
    requires,
    imports: `import { ${create} } from "./engine.js";`,
    handler: [`${hook}({ data }) {`, register, ...activate, "},"].join("\n"),
    suite,
    suiteCall: isSearch ? searchSuite(create, quoted) : storeSuite({ create, suite, quoted }),
  };
}

function searchSuite(create: string, quoted: string): string[] {
  return [
    "const create = async () => {",
    "  await using test = await createTestSite();",
    `  const { tools } = test.site.use(${JSON.stringify(SLOTS.search.requires)});`,
    `  return ${create}(tools);`,
    "};",
    `searchEngineContract(${quoted}, { create }, { describe, it });`,
  ];
}

function storeSuite(stub: { create: string; suite: string; quoted: string }): string[] {
  return [
    `describe(${stub.quoted} + ": the suite of the slot", () => {`,
    `  ${stub.suite}({ open: ${stub.create} }, { it, beforeEach, afterEach });`,
    "});",
  ];
}
