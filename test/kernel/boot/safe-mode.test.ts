import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { createEnv, createSite, silentLog, type Site } from "#kernel";
import { firstParty } from "../../../plugins/main.js";
import { formatEntry, leaveOut, withoutTheirKeys } from "../../../kernel/boot/left-out-plugins.js";
import { makeRoot } from "../../support/sites/config-root.js";

const entry = (names: { src?: string; name?: string }) => ({ ...names, enabled: true, path: null });
const selection = {
  entries: [
    entry({ name: "pages" }),
    entry({ src: "./a.ts" }),
    entry({ src: "npm:b@^1.0.0", name: "b" }),
  ],
  explicit: false,
  disabled: ["feeds"],
  leftOut: [],
  problems: [],
};

describe("leaveOut", () => {
  const off = (options: Parameters<typeof leaveOut>[1]) => leaveOut(selection, options).off;

  it("removes third-party plugins, named plugins, or nothing", () => {
    assert.deepEqual(off({}), []);
    assert.deepEqual(off({ safe: true }), ["./a.ts", "npm:b@^1.0.0"]);
    assert.deepEqual(off({ without: ["./a.ts"] }), ["./a.ts"]);
    assert.deepEqual(off({ without: ["b", "pages", "absent"] }), ["pages", "npm:b@^1.0.0"]);
  });

  it("does not let others add removed plugins again", () => {
    const { selected } = leaveOut(selection, { without: ["pages"] });
    assert.deepEqual(selected.entries.map(formatEntry), ["./a.ts", "npm:b@^1.0.0"]);
    assert.deepEqual(selected.disabled, ["feeds", "pages"]);
  });
});

describe("withoutTheirKeys", () => {
  const at = (key: string, expected: string) => ({
    file: "site.yaml",
    line: 1,
    column: 1,
    received: 1,
    fix: "",
    key,
    expected,
  });
  const problems = [at("own", "a known key"), at("theme.own", "a known key"), at("title", "text")];

  it("ignores unknown top-level keys, only when something is left out", () => {
    assert.deepEqual(withoutTheirKeys(problems, []), problems);
    assert.deepEqual(withoutTheirKeys(problems, ["./a.ts"]), problems.slice(1));
  });
});

describe("a site in safe mode", () => {
  const opened: Site[] = [];
  const roots: string[] = [];
  afterEach(async () => {
    for (const site of opened.splice(0)) await site.close();
    for (const root of roots.splice(0)) await rm(root, { recursive: true, force: true });
  });
  const files = {
    "site.yaml": "title: T\ntheme: { name: own }\nplugins: [./plugins/own.ts]\nown: { key: 1 }\n",
    "system.yaml": "search: { engine: theirs }\n",
    "content/01.home/default.md": "---\ntitle: Home\n---\nText.\n",
    "plugins/own.ts": "throw new Error('it was loaded');\n",
    "themes/own/templates/default.tsx": "throw new Error('it was loaded');\n",
  };
  async function boot(options: { safe?: boolean; without?: string[] }): Promise<string> {
    const root = await makeRoot(files);
    roots.push(root);
    const site = await createSite(root, {
      firstParty,
      log: silentLog,
      env: createEnv({}),
      ...options,
    });
    opened.push(site);
    const port = await site.listen(0);
    await site.ready;
    return `http://127.0.0.1:${port}`;
  }

  it("serves pages and search though plugin, theme and engine of the site are broken", async () => {
    const url = await boot({ safe: true });
    const page = await fetch(`${url}/`);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /themes\/default\/static\/style/);
    assert.equal((await fetch(`${url}/api/search?q=text`)).status, 200);
    const [site] = opened;
    assert.deepEqual([site?.safe, site?.off], [true, ["./plugins/own.ts"]]);
  });

  it("is required then: the site does not boot without it", async () => {
    await assert.rejects(boot({}), { code: "ERR_PLUGIN_LOAD" });
    await assert.rejects(boot({ without: ["./plugins/other.ts"] }), { code: "ERR_PLUGIN_LOAD" });
  });
});
