import assert from "node:assert/strict";
import {
  addPluginCommand,
  addThemeCommand,
} from "../../../../plugins/packages/commands/sources.js";
import { usePackageSite } from "../../../support/packages/package-site.js";

describe("plugin:add", function () {
  this.timeout(240_000);
  const { folder, registry, read, write, run } = usePackageSite();
  const add = (source: string, options = {}) => run(addPluginCommand, [source], options);
  beforeEach(() => {
    registry.current.publish({ name: "kit", version: "1.0.0", ageDays: 50 });
    registry.current.publish({ name: "kit", version: "1.1.0", ageDays: 2 });
  });

  it("installs, pins and lists a package; a second time it changes nothing", async () => {
    assert.equal((await add("npm:kit@^1.0.0")).code, 0);
    const yaml = "# our site\ntitle: T # short\nplugins:\n  - src: npm:kit@^1.0.0\n";
    assert.equal(await read("site.yaml"), yaml);
    assert.equal(JSON.parse(await read("site.lock")).specifiers["npm:kit@^1.0.0"], "kit@1.1.0");
    const again = await add("npm:kit@^1.0.0", { json: true });
    assert.deepEqual(again.json, { ok: true, lockfilePath: "site.lock", diffs: [], blocked: [] });
    assert.equal(await read("site.yaml"), yaml);
  });

  it("gives a package without a version the newest one that is old enough", async () => {
    await write("system.yaml", "packages:\n  minimum_dependency_age: { days: 7 }\n");
    await add("npm:kit");
    assert.match(await read("site.yaml"), /src: npm:kit@\^1\.0\.0\n/);
    assert.match(await read("site.lock"), /"kit@1\.0\.0"/);
  });

  it("lists a file of the site, and installs nothing for it", async () => {
    await write("plugins/mine.ts", "throw new Error('never run');\n");
    await add("./plugins/mine.ts");
    assert.match(await read("site.yaml"), /- src: \.\/plugins\/mine\.ts\n/);
    assert.deepEqual(registry.current.asked, []);
  });

  const REJECTED = [
    "",
    "kit",
    "kit@^1.0.0",
    "--global",
    "npm:kit@latest",
    "npm:kit@*",
    "npm:../kit@1.0.0",
    "npm:kit@1.0.0 --global",
    "jsr:@acme/kit@1.0.0",
    "https://example.org/kit.tgz",
    "git://example.org/kit",
    "file:../kit",
    "./../kit.ts",
    "./plugins/none.ts",
    "/etc/passwd",
  ];
  it("rejects what is neither a package with its version nor a file, without any request", async () => {
    for (const source of REJECTED)
      await assert.rejects(add(source), { code: "ERR_PACKAGE_SPEC" }, source);
    assert.equal(await read("site.yaml"), "# our site\ntitle: T # short\n");
    assert.deepEqual(registry.current.asked, []);
  });

  it("rejects another version of a listed plugin, and a disabled one", async () => {
    await write("site.yaml", "title: T\nplugins:\n  - npm:kit@1.0.0\n");
    await assert.rejects(add("npm:kit@^1.1.0"), {
      code: "ERR_PACKAGE_ENTRY",
      fix: "run site plugin:update kit --latest",
    });
    await write("site.yaml", "title: T\nplugins:\n  kit: {src: 'npm:kit@1.0.0', enabled: false}\n");
    await assert.rejects(add("npm:kit@1.0.0"), { code: "ERR_PACKAGE_ENTRY" });
  });

  it("installs nothing when the entry cannot be added to site.yaml", async () => {
    await write("site.yaml", "title: T\nplugins: yes please\n");
    await assert.rejects(add("npm:kit@^1.0.0"), { code: "ERR_CONFIG_KEY" });
    assert.deepEqual(registry.current.asked, []);
  });

  it("lists nothing when npm fails", async () => {
    await assert.rejects(add("npm:no-such-kit@^1.0.0"), { code: "ERR_PACKAGE_NPM" });
    assert.doesNotMatch(await read("site.yaml"), /plugins/);
  });

  it("reports an overlay that hides the entry, and an invalid setting of its own", async () => {
    await write("env/production/site.yaml", "plugins: [search]\n");
    const { errors } = await add("npm:kit@^1.0.0");
    assert.match(errors.join(), /overlay in env\//);
    await write("system.yaml", "packages:\n  minimum_dependency_age: { days: soon }\n");
    await assert.rejects(add("npm:kit@^1.0.0"), { code: "ERR_CONFIG_INVALID" });
  });

  it("theme:add adds a theme, or makes it the active one", async () => {
    const files = { "theme.yaml": "name: sepia\n" };
    registry.current.publish({ name: "@acme/sepia", version: "0.2.0", files });
    await run(addThemeCommand, ["npm:@acme/sepia@^0.2.0"], { name: "brown" });
    const listed = "themes:\n  - name: brown\n    src: npm:@acme/sepia@^0.2.0\n";
    assert.ok((await read("site.yaml")).endsWith(listed));
    await write("site.yaml", "title: T\n");
    await run(addThemeCommand, ["npm:@acme/sepia@^0.2.0"], { use: true });
    assert.equal(
      await read("site.yaml"),
      "title: T\ntheme:\n  name: sepia\n  src: npm:@acme/sepia@^0.2.0\n",
    );
    assert.ok((await read("site.lock")).includes("@acme/sepia@0.2.0"));
    assert.equal(await read("node_modules/@acme/sepia/theme.yaml"), files["theme.yaml"]);
    assert.ok(folder.path);
  });
});
