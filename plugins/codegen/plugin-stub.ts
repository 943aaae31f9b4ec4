import { engineStub, type EngineSlotName, type EngineStub } from "./engine-stub.js";

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
