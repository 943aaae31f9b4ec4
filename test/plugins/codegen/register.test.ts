import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { assertRegistrable, register } from "../../../plugins/codegen/command.js";
import { makeRoot } from "../../support/sites/config-root.js";

const SRC = "./plugins/boats/index.ts";

describe("the registration of a new plugin", () => {
  let root = "";
  afterEach(() => rm(root, { recursive: true, force: true }));
  const siteYaml = () => readFile(join(root, "site.yaml"), "utf8");

  for (const [form, before, after] of [
    ["no plugins", "# mine\ntitle: T # short\n", `plugins:\n  - src: ${SRC}\n`],
    ["a list", "plugins: # list\n  - ./plugins/a.ts\ntitle: T\n", `  - src: ${SRC}\ntitle: T\n`],
    [
      "a map",
      "plugins:\n  a: { src: ./plugins/a.ts } # first\n",
      `# first\n  boats:\n    src: ${SRC}\n`,
    ],
  ] as const) {
    it(`adds it where site.yaml has ${form}, and keeps every comment`, async () => {
      root = await makeRoot({ "site.yaml": before });
      assert.equal(await register(root, SRC), true);
      const text = await siteYaml();
      assert.ok(text.includes(after), text);
      for (const [comment] of before.matchAll(/# \w+/g)) assert.ok(text.includes(comment), text);
      assert.equal(await register(root, SRC), true);
      assert.equal(await siteYaml(), text, "a second time adds nothing");
    });
  }

  it("reports an overlay that hides it", async () => {
    root = await makeRoot({
      "site.yaml": "title: T\n",
      "env/dev/site.yaml": "plugins: [./plugins/a.ts]\n",
      "env/production/site.yaml": "plugins: [./plugins/a.ts]\n",
    });
    assert.equal(await register(root, SRC), false);
  });

  it("rejects an unsuitable site.yaml before anything is written", async () => {
    root = await makeRoot({ "site.yaml": "title: T\nplugins: all\n" });
    await assert.rejects(assertRegistrable(root, SRC), { code: "ERR_CONFIG_KEY" });
  });
});
