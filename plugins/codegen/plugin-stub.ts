import { engineStub, type EngineSlotName, type EngineStub } from "./engine-stub.js";

/** What a plugin shall have. */
export interface PluginWishes {
  name: string;
  hooks: readonly string[];
  engine: EngineSlotName | null;
  /** `/api/boats`; null: none. */
  route: string | null;
}

/** Files of a plugin that does what it was asked for, with a test that passes. */
export function pluginStub(wishes: PluginWishes): ReadonlyMap<string, string> {
  const folder = `plugins/${wishes.name}`;
  const engine = wishes.engine === null ? null : engineStub(wishes.engine, wishes.name);
  const files = new Map([
    [`${folder}/index.ts`, pluginFile(wishes, engine)],
    [`${folder}/${wishes.name}.test.ts`, testFile(wishes, engine)],
    [`${folder}/README.md`, readme(wishes)],
  ]);
  if (engine !== null) files.set(`${folder}/${engine.file}`, engine.text);
  return files;
}

function pluginFile(wishes: PluginWishes, engine: EngineStub | null): string {
  const { name, hooks, route } = wishes;
  const handlers = hooks.map(hookHandler);
  if (engine !== null) handlers.push(engine.handler);
  return text([
    'import { definePlugin } from "site";',
    'import type {} from "site/plugins";',
    ...(route === null ? [] : ['import { z } from "zod";']),
    ...(engine === null ? [] : [engine.imports]),
    "",
    ...(route === null
      ? []
      : ['const query = z.object({ name: z.string().max(100).default("you") });', ""]),
    "export default definePlugin({",
    `  name: ${JSON.stringify(name)},`,
    '  version: "1.0.0",',
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
          `  summary: ${JSON.stringify(`Answer of ${name}`)},`,
          "  query,",
          "  responses: { 200: z.object({ hello: z.string() }) },",
          "  handler: (req, res, { query: { name } }) =>",
          "    site.http.json(req, res, { hello: name }),",
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
    `import { ${fromTesting.join(", ")} } from "site/testing";`,
    ...(engine === null ? [] : [engine.imports]),
    "",
    `describe(${JSON.stringify(name)}, () => {`,
    '  it("runs on a site and leaves nothing behind", async () => {',
    '    const plugins = [new URL("./index.ts", import.meta.url)];',
    "    const test = await createTestSite({ plugins });",
    '    assert.equal((await test.fetch("/health/ready")).status, 200);',
    ...(route === null
      ? []
      : [
          `    const answer = await test.fetch(${JSON.stringify(`${route}?name=sea`)});`,
          '    assert.deepEqual(await answer.json(), { hello: "sea" });',
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

function readme({ name, engine }: PluginWishes): string {
  const select = engine === "search" ? ["", "# system.yaml", "search:", `  engine: ${name}`] : [];
  return text([
    `# ${name}`,
    "",
    "Select it in `site.yaml`:",
    "",
    "```yaml",
    "plugins:",
    `  ${name}:`,
    `    src: ./plugins/${name}/index.ts`,
    ...select,
    "```",
    "",
    "Run its test:",
    "",
    "```sh",
    `npx tsx --test plugins/${name}/${name}.test.ts`,
    "```",
  ]);
}

function indented(code: string, spaces: number): string[] {
  return code.split("\n").map((line) => " ".repeat(spaces) + line);
}

function text(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}
