import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestSite } from "../../support/sites/boot-site.js";
import { bootCodegenSite, runCodegen } from "../../support/sites/codegen-site.js";

const words = `import { definePlugin } from "sitewright";
import { z } from "zod";
declare module "sitewright" {
  interface HookMap { onWordsCounted: { kind: "notify"; data: { words: number } } }
  interface Services { words: { count(): number } }
}
export default definePlugin({
  name: "words",
  version: "1.0.0",
  config: z.object({ minimum: z.number().optional().describe("Shortest /* word */") }),
  fires: { onWordsCounted: "notify" },
  setup(site) { site.provide("words", { count: () => 1 }); },
});
`;
const files = {
  "site.yaml": "title: T\nplugins:\n  words: { src: ./plugins/words.ts }\n",
  "plugins/words.ts": words,
  "content/01.home/default.md": "---\ntitle: Home\ntaxonomy: { tag: [sea, 'a\"b'] }\n---\n",
  "content/02.crew/default.md": "---\ntitle: Crew\nroles: [crew]\n---\n",
  "flex-objects/boats.yaml": [
    "title: Boats",
    "fields:",
    "  name: { type: text, label: Name, required: true }",
    "  length: { type: number, label: Length }",
    "  rig: { type: select, label: Rig, options: { sloop: Sloop, ketch: Ketch } }",
    "",
  ].join("\n"),
};

describe("site codegen", () => {
  let test: TestSite;
  beforeEach(async () => {
    test = await bootCodegenSite(files);
  });
  afterEach(async () => test.close());

  const read = (path: string): Promise<string> => readFile(join(test.root, path), "utf8");

  it("writes the names in content, configuration and plugins, third-party ones included", async () => {
    assert.equal((await runCodegen(test, [])).code, 0);
    const types = await read(".site/types/site.d.ts");
    assert.match(types, /interface BoatsRecord \{[^}]*readonly name: string;/s);
    assert.match(types, /readonly length\?: number;/);
    assert.match(types, /readonly rig\?: "sloop" \| "ketch";/);
    assert.match(types, /readonly tag: "a\\"b" \| "sea";/);
    assert.match(types, /RoleName = "admin" \| "author" \| "crew" \| "editor";/);
    assert.match(types, /TemplateName = .*"default"/);
    assert.match(types, /readonly words: \{\s+\/\*\*.*\*\/\s+readonly minimum\?: number;/);
    assert.match(types, /readonly onWordsCounted: "notify";/);
    assert.match(types, /ServiceName = .*"words"/);
    assert.match(types, /import type \{\} from "..\/..\/plugins\/words.ts";/);
  });

  it("--check lists outdated files, and writes nothing", async () => {
    assert.equal((await runCodegen(test, [], { check: true })).code, 1);
    assert.ok(!existsSync(join(test.root, ".site")));
    await runCodegen(test, []);
    const { code, json } = await runCodegen(test, [], { check: true, json: true });
    assert.equal(code, 0);
    assert.deepEqual(json, [{ files: [".site/types/site.d.ts"], changed: [] }]);
  });

  it("registers nothing, and names the file that explains how to", async () => {
    const before = await read("site.yaml");
    const { lines } = await runCodegen(test, ["plugin", "quiet"]);
    assert.equal(await read("site.yaml"), before);
    assert.match(lines.at(-1) ?? "", /see plugins\/quiet\/README\.md/);
  });

  it("--register adds the plugin to site.yaml, once the plugin is written", async () => {
    const { lines } = await runCodegen(test, ["plugin", "boats"], { register: true });
    assert.match(await read("site.yaml"), /words: .*\n {2}boats:\n {4}src: \.\/plugins\/boats\//);
    assert.equal(lines.at(-1), "./plugins/boats/index.ts is listed in site.yaml");
    const before = await read("site.yaml");
    const again = runCodegen(test, ["plugin", "boats"], { register: true });
    await assert.rejects(again, { code: "ERR_CODEGEN_EXISTS" });
    assert.equal(await read("site.yaml"), before);
  });

  it("overwrites nothing, unless --force is given", async () => {
    await runCodegen(test, ["plugin", "mine"]);
    await test.write("plugins/mine/index.ts", "// my work");
    await assert.rejects(runCodegen(test, ["plugin", "mine"]), { code: "ERR_CODEGEN_EXISTS" });
    assert.equal(await read("plugins/mine/index.ts"), "// my work");
    await runCodegen(test, ["plugin", "mine"], { force: true });
    assert.match(await read("plugins/mine/index.ts"), /definePlugin/);
  });
});

describe("site codegen with wrong words", () => {
  let test: TestSite;
  before(async () => {
    test = await bootCodegenSite(files);
  });
  after(() => test.close());

  for (const [args, options, code, hint] of [
    [["plugn"], {}, "ERR_CODEGEN_KIND", /plugin/],
    [["plugin"], {}, "ERR_CODEGEN_NAME", /my-plugin/],
    [["plugin", "../up"], {}, "ERR_CODEGEN_NAME", /lower-case/],
    [["theme", "constructor."], {}, "ERR_CODEGEN_NAME", /lower-case/],
    [["plugin", "x"], { hook: ["onPageUpdat"] }, "ERR_CODEGEN_HOOK", /onPageUpdate/],
    [["plugin", "x"], { engine: "toString" }, "ERR_CODEGEN_ENGINE", /userStore/],
    [["plugin", "x"], { route: 'api"/x' }, "ERR_CODEGEN_ROUTE", /\/api/],
  ] as const) {
    it(`rejects ${args.join(" ")} ${JSON.stringify(options)} with a fix`, async () => {
      await assert.rejects(runCodegen(test, args, options), (error: Error) => {
        assert.equal("code" in error && error.code, code);
        assert.match(String("fix" in error && error.fix), hint);
        return true;
      });
      assert.ok(!existsSync(join(test.root, "plugins/x")));
    });
  }
});
