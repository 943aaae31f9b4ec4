import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startProcess } from "../../support/processes/site-process.js";
import { makeRoot } from "../../support/sites/config-root.js";

const test = (title: string, body: string) =>
  `import { test } from "node:test";\ntest("${title}", () => { ${body} });\n`;

describe("site plugins:test", () => {
  let root = "";
  before(async () => {
    root = await makeRoot({
      "site.yaml": "title: T\n",
      "plugins/a/index.ts": "export const answer: number = 42;\n",
      "plugins/a/deep/a.test.ts": `import { answer } from "../index.js";
        ${test("of a", "const one: number = answer; if (one !== 42) throw new Error();")}`,
      "plugins/a/node_modules/x/x.test.mjs": test("of a package", "throw new Error();"),
      "plugins/c/c.test.ts": `let ready = false;
        before(() => { ready = true; });
        describe("c", () => { it("has globals", () => { if (!ready) throw new Error(); }); });`,
      "plugins/e/e.test.ts": `import { test } from "node:test";
        import { definePlugin } from "sitewright";
        import { createTestSite } from "sitewright/testing";
        import { z } from "zod";
        test("has the package that runs", async () => {
          const config = z.object({}).optional();
          const plugin = definePlugin({ name: "e", version: z.string().parse("1.0.0") });
          const site = await createTestSite({ plugins: ["health", plugin] });
          if (config === undefined || (await site.fetch("/health/live")).status !== 200) throw new Error();
          await site.close();
        });`,
      "plugins/b.ts": "export default { name: 'b', version: '1.0.0' };\n",
      "plugins/b.test.mjs": test("of b", "throw new Error('b is wrong');"),
    });
  });
  after(() => rm(root, { recursive: true, force: true }));

  async function run(...names: string[]): Promise<{ code: number | null; text: string }> {
    const started = startProcess(["plugins:test", ...names, "--root", root]);
    return { code: await started.ended(), text: started.text() };
  }

  it("runs the tests in a plugin's folder, TypeScript included, and none of its packages", async () => {
    const { code, text } = await run("a");
    assert.equal(code, 0, text);
    assert.match(text, /of a/);
    assert.doesNotMatch(text, /of b|of a package/);
  });

  it("prints readable text, not TAP", async () => {
    const { text } = await run("a", "c");
    assert.match(text, /✔ of a .*\n/);
    assert.match(text, /▶ c\n {2}✔ has globals/);
    assert.doesNotMatch(text, /TAP version|^ok /m);
  });

  it("finishes when its output is not read", async () => {
    const started = startProcess(["plugins:test", "b", "--root", root]);
    started.child.stdout?.destroy();
    const code = await started.ended();
    assert.deepEqual([code, started.text()], [1, ""]);
  });

  it("runs tests that use the runner's functions as globals", async () => {
    const { code, text } = await run("c");
    assert.equal(code, 0, text);
    assert.match(text, /has globals/);
  });

  it("resolves the server's packages in a site without packages of its own", async () => {
    const { code, text } = await run("e");
    assert.equal(code, 0, text);
    assert.match(text, /has the package that runs/);
  });

  it("runs those of all plugins, and fails with one of them", async () => {
    const { code, text } = await run();
    assert.equal(code, 1);
    assert.match(text, /of a[^]*b is wrong|b is wrong[^]*of a/);
  });

  it("exits when failing tests have left their sites open: in a test, a hook, a suite", async () => {
    const bodies = {
      test: 'test("left open", async () => { await open(); assert.fail("on purpose"); });',
      hook: 'before(() => open()); it("left open", () => assert.fail("on purpose"));',
      suite:
        'describe("suite", () => { before(() => open()); it("left open", () => assert.fail("on purpose")); });',
    };
    const home = join(root, "open");
    await mkdir(join(home, "plugins", "open"), { recursive: true });
    await writeFile(join(home, "site.yaml"), "title: T\n");
    for (const [place, body] of Object.entries(bodies)) {
      await writeFile(
        join(home, "plugins", "open", `${place}.test.ts`),
        `import assert from "node:assert/strict";
        import { before, describe, it, test } from "node:test";
        import { createTestSite } from "sitewright/testing";
        const plugin = { name: "e", version: "1.0.0" };
        const open = () => createTestSite({ plugins: ["health", { plugin }] });
        ${body}`,
      );
    }
    const started = startProcess(["plugins:test", "open", "--root", home]);
    assert.equal(await started.ended(), 1, started.text());
    assert.match(started.text(), /fail 3\b/);
  });

  it("rejects a plugin without tests, and an unknown name", async () => {
    for (const name of ["d", "../a", "*"]) {
      const { code, text } = await run(name);
      assert.equal(code, 2);
      assert.match(text, /ERR_CLI_OPTION/, name);
    }
  });
});
