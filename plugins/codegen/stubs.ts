/** The files that `codegen:plugin` and `codegen:theme` start from. */
import { readFileSync } from "node:fs";
import { runningFile } from "#lib/packages";
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

/** Slots with a stub. */
export const ENGINE_SLOTS = ["search", "userStore", "sessionStore"] as const;
/** A slot with a stub. */
export type EngineSlotName = (typeof ENGINE_SLOTS)[number];

/** The requested features of a plugin. */
export interface PluginWishes {
  readonly name: string;
  /** Hooks that it handles. */
  readonly hooks: readonly string[];
  /** The slot that it provides an engine for; null: none. */
  readonly engine: EngineSlotName | null;
  /** `/api/boats`; null: no route. */
  readonly route: string | null;
}

/** The `src` of the plugin in site.yaml. */
export function toSource(name: string): string {
  return `./plugins/${name}/index.ts`;
}

/** Files of a plugin with the requested features and a passing test. */
export function pluginStub(wishes: PluginWishes): ReadonlyMap<string, string> {
  const { name } = wishes;
  const folder = `plugins/${name}`;
  const engine = wishes.engine === null ? null : engineStub(wishes.engine, name);
  // Tells Node and the compiler that the files are modules, in any site.
  const manifest = {
    name,
    version: VERSION,
    private: true,
    type: "module",
    exports: "./index.ts",
  };
  const files = new Map([
    [`${folder}/index.ts`, pluginFile(wishes, engine)],
    [`${folder}/${name}.test.ts`, testFile(wishes, engine)],
    [`${folder}/README.md`, pluginReadme(wishes)],
    [`${folder}/package.json`, json(manifest)],
    [`${folder}/tsconfig.json`, json(TSCONFIG)],
  ]);
  if (engine !== null) files.set(`${folder}/engine.ts`, engine.text);
  return files;
}

/** The plugin: its imports, then the members of its definition. */
function pluginFile({ name, hooks, route }: PluginWishes, engine: EngineStub | null): string {
  const imports = [
    'import { definePlugin } from "sitewright";',
    'import type {} from "sitewright/plugins";',
  ];
  const members = [`name: ${JSON.stringify(name)},`, `version: ${JSON.stringify(VERSION)},`];
  const handlers = hooks.map(hookHandler);
  if (route !== null) {
    imports.push('import { z } from "zod";');
    members.push("config,");
  }
  if (engine !== null) {
    imports.push(engine.imports);
    members.push(`requires: [${JSON.stringify(engine.requires)}],`);
    handlers.push(engine.handler);
  }
  if (handlers.length > 0) members.push(block("hooks: {", handlers.join("\n"), "},"));
  if (route !== null) members.push(block("setup(site) {", routeCall(name, route), "},"));
  else if (handlers.length === 0) {
    // A plugin that does nothing yet shows that it runs.
    const log = `site.log.info(${JSON.stringify(`${name}.ready`)});`;
    members.push(block("setup(site) {", log, "},"));
  }
  const definition = block("export default definePlugin({", members.join("\n"), "});");
  return `${imports.join("\n")}\n\n${route === null ? "" : ROUTE_INPUT}${definition}\n`;
}

/** Configuration and query of the route. */
const ROUTE_INPUT = `/** The \`config:\` block of site.yaml. */
const config = z.strictObject({
  greeting: z.string().max(100).default("Hello").describe("First word of the response"),
});
const query = z.object({ name: z.string().max(100).default("you") });

`;

function routeCall(name: string, route: string): string {
  return `site.http.route({
  method: "get",
  path: ${JSON.stringify(route)},
  summary: ${JSON.stringify(`Greeting of ${name}`)},
  query,
  responses: { 200: z.object({ text: z.string() }) },
  handler: (req, res, { query: { name } }) =>
    site.http.json(req, res, { text: \`\${site.config.greeting}, \${name}\` }),
});`;
}

function hookHandler(hook: string): string {
  return `${hook}({ data, log }) {
  log.debug(${JSON.stringify(hook)}, { keys: Object.keys(data) });
},`;
}

/** The test: it boots a site with the plugin, uses each feature, and runs the suite of the engine. */
function testFile({ name, hooks, route }: PluginWishes, engine: EngineStub | null): string {
  const fromTesting = ["createTestSite"];
  if (engine !== null) fromTesting.push(engine.suite);
  const imports = [
    'import assert from "node:assert/strict";',
    `import { ${(engine?.testFunctions ?? ["describe", "it"]).join(", ")} } from "node:test";`,
    `import { ${fromTesting.sort().join(", ")} } from "sitewright/testing";`,
  ];
  if (engine !== null) imports.push(engine.imports);
  const selected = route === null ? "plugin" : '{ plugin, config: { greeting: "Ahoy" } }';
  const steps = [
    'const plugin = new URL("./index.ts", import.meta.url);',
    `await using test = await createTestSite({ plugins: [${selected}] });`,
    'assert.equal((await test.fetch("/health/ready")).status, 200);',
  ];
  if (route !== null) {
    steps.push(
      `const response = await test.fetch(${JSON.stringify(`${route}?name=sea`)});`,
      'assert.deepEqual(await response.json(), { text: "Ahoy, sea" });',
    );
  }
  for (const hook of hooks) {
    steps.push(`assert.ok(test.site.context("test").hooks.has(${JSON.stringify(hook)}));`);
  }
  steps.push("assert.deepEqual(await test.leaks(), []);");
  const run = block(
    'it("runs on a site and leaves nothing open", async () => {',
    steps.join("\n"),
    "});",
  );
  const suite = block(`describe(${JSON.stringify(name)}, () => {`, run, "});");
  return `${imports.join("\n")}\n\n${suite}\n${engine === null ? "" : `\n${engine.suiteCall}\n`}`;
}

function pluginReadme({ name, engine, route }: PluginWishes): string {
  const settings = ["plugins:", `  ${name}:`, `    src: ${toSource(name)}`];
  if (route !== null) settings.push("    config: { greeting: Ahoy }");
  if (engine === "search") settings.push("", "# system.yaml", "search:", `  engine: ${name}`);
  return [
    `# ${name}`,
    "",
    "Select it in `site.yaml`:",
    "",
    "```yaml",
    ...settings,
    "```",
    "",
    "Run its test and the type checker:",
    "",
    "```sh",
    `npx sitewright plugins:test ${name}`,
    `npx --yes -p typescript tsc -p plugins/${name}`,
    "```",
    "",
  ].join("\n");
}

/** A slot that plugins provide engines for. */
interface Slot {
  /** The file in `scaffold/` with the engine. */
  readonly scaffold: string;
  /** Plugin that opens the slot. */
  readonly requires: string;
  /** Hook in which engines are registered. */
  readonly hook: string;
  /** Arguments of the engine's factory in that hook. */
  readonly factoryArguments: string;
  /** True: the plugin activates its engine, as the configuration names first-party stores only. */
  readonly isActivated: boolean;
  /** Name of the conformance suite. */
  readonly suite: string;
  /** Names that a test with the suite imports from `node:test`. */
  readonly testFunctions: readonly string[];
}

const STORE_TEST_FUNCTIONS = ["afterEach", "beforeEach", "describe", "it"];
const SLOTS: Readonly<Record<EngineSlotName, Slot>> = {
  search: {
    scaffold: "search-engine.ts",
    requires: "search",
    hook: "onSearchEngineCreate",
    factoryArguments: "data.tools",
    isActivated: false,
    suite: "searchEngineContract",
    testFunctions: ["describe", "it"],
  },
  userStore: {
    scaffold: "user-store.ts",
    requires: "users",
    hook: "onUserStoreCreate",
    factoryArguments: "",
    isActivated: true,
    suite: "userStoreContract",
    testFunctions: STORE_TEST_FUNCTIONS,
  },
  sessionStore: {
    scaffold: "session-store.ts",
    requires: "session",
    hook: "onSessionStoreCreate",
    factoryArguments: "",
    isActivated: true,
    suite: "sessionStoreContract",
    testFunctions: STORE_TEST_FUNCTIONS,
  },
};

/** The code of an engine, and what the plugin and its test need to use it. */
interface EngineStub extends Pick<Slot, "requires" | "suite" | "testFunctions"> {
  /** The text of `engine.ts`. */
  readonly text: string;
  /** Import of the engine's factory, in the plugin and in its test. */
  readonly imports: string;
  /** The handler that registers the engine. */
  readonly handler: string;
  /** The code that runs the suite. */
  readonly suiteCall: string;
}

/** An engine that stores everything in memory and passes the suite of its slot. */
function engineStub(slot: EngineSlotName, name: string): EngineStub {
  const { scaffold, requires, hook, factoryArguments, isActivated, suite, testFunctions } =
    SLOTS[slot];
  const create = `create${toTypeName(name)}`;
  const quoted = JSON.stringify(name);
  const source = readFileSync(runningFile(`plugins/codegen/scaffold/${scaffold}`), "utf8");
  const calls = [`data.register(${quoted}, ${create}(${factoryArguments}));`];
  if (isActivated) calls.push(`data.activate(${quoted});`);
  return {
    text: source.replace("createEngine", create),
    requires,
    imports: `import { ${create} } from "./engine.js";`,
    handler: block(`${hook}({ data }) {`, calls.join("\n"), "},"),
    suite,
    testFunctions,
    suiteCall: slot === "search" ? searchSuite(create, quoted) : storeSuite(suite, create, quoted),
  };
}

/** Search engines are created with the tools of a site. */
function searchSuite(create: string, quoted: string): string {
  return `const create = async () => {
  await using test = await createTestSite();
  const { tools } = test.site.use(${JSON.stringify(SLOTS.search.requires)});
  return ${create}(tools);
};
searchEngineContract(${quoted}, { create }, { describe, it });`;
}

function storeSuite(suite: string, create: string, quoted: string): string {
  return `describe(${quoted} + ": the suite of the slot", () => {
  ${suite}({ open: ${create} }, { it, beforeEach, afterEach });
});`;
}

/** Code between two lines, indented. */
function block(open: string, code: string, close: string): string {
  return `${open}\n${code.replaceAll(/^/gm, "  ")}\n${close}`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Files of a theme that overrides one template and inherits the rest from `parent`. */
export function themeStub(name: string, parent: string): ReadonlyMap<string, string> {
  const folder = `themes/${name}`;
  const template = readFileSync(runningFile("plugins/codegen/scaffold/template.tsx"), "utf8");
  return new Map([
    [`${folder}/theme.yaml`, themeManifest(name, parent)],
    [`${folder}/templates/default.tsx`, template],
    [`${folder}/README.md`, themeReadme(name, parent)],
  ]);
}

function themeManifest(name: string, parent: string): string {
  return [
    `name: ${name}`,
    "version: 1.0.0",
    `parent: ${parent}`,
    "config_schema:",
    "  motto: { type: text, label: Line above the title, default: Hello }",
    "",
  ].join("\n");
}

function themeReadme(name: string, parent: string): string {
  return [
    `# ${name}`,
    "",
    "Select it in `site.yaml`:",
    "",
    "```yaml",
    "theme:",
    `  name: ${name}`,
    "  custom: { motto: Ahoy }",
    "```",
    "",
    `Missing templates come from the theme \`${parent}\`: copy one from there to change it.`,
    "",
  ].join("\n");
}
