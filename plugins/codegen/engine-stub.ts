import { readFileSync } from "node:fs";
import { runningFile } from "#kernel/internal";
import { toTypeName } from "./names.js";

/** Slots with a stub. */
export const ENGINE_SLOTS = ["search", "userStore", "sessionStore"] as const;
/** A slot with a stub. */
export type EngineSlotName = (typeof ENGINE_SLOTS)[number];

/** An engine's file, and the parts that plugin and test need. */
export interface EngineStub {
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
export function engineStub(slot: EngineSlotName, name: string): EngineStub {
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
