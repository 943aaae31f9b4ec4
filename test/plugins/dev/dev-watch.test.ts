import assert from "node:assert/strict";
import { statSync, writeFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createEnv } from "#kernel";
import { firstParty } from "../../../plugins/main.js";
import { startFiles } from "../../../kernel/boot/start-files.js";
import { DevWatch } from "../../../plugins/dev/dev-watch.js";
import { makeRoot } from "../../support/sites/config-root.js";

describe("the files that site dev watches", () => {
  let root = "";
  let watch: DevWatch;
  let changes: string[] = [];
  let notice: () => void = () => undefined;
  const put = async (file: string, text = "x"): Promise<void> => {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  };
  const changed = async (file: string): Promise<void> => {
    while (!changes.includes(file)) await new Promise<void>((resolve) => (notice = resolve));
  };
  const env = createEnv({ SITE_ENV: "dev" });

  beforeEach(async () => {
    changes = [];
    const plugins = "plugins:\n  a: { src: ./plugins/a/index.ts }\n  b: { src: ./b.ts }\n";
    root = await makeRoot({
      "site.yaml": `title: T\n${plugins}  c: { src: npm:@scope/c@^1.0.0 }\n`,
      "plugins/a/index.ts": "",
      "node_modules/@scope/c/package.json": "{}",
      "content/default.md": "",
    });
    watch = new DevWatch(root, (paths) => {
      changes.push(...paths);
      notice();
    });
  });
  afterEach(async () => {
    watch.close();
    await rm(root, { recursive: true, force: true });
  });

  it("are the configuration, the folders of plugins, single files and manifests of packages", async () => {
    const { files, folders, packages } = await startFiles(root, { env, firstParty });
    const overlay = join(root, "env/dev/system.yaml");
    for (const file of [join(root, "site.yaml"), overlay, join(root, "b.ts")]) {
      assert.ok(files.includes(file), file);
    }
    assert.deepEqual([...new Set(folders)], [join(root, "plugins/a")]);
    const manifest = join(root, "node_modules/@scope/c/package.json");
    assert.deepEqual([...packages], [[manifest, "@scope/c"]]);
    await assert.rejects(startFiles(join(root, "gone"), { env, firstParty }), {
      code: "ERR_CONFIG_ROOT",
    });
  });

  it("are those of packages from tarballs and git too, and what npm writes when one is missing", async () => {
    const commit = "0123456789abcdef0123456789abcdef01234567";
    const entries = [
      "file:./kit.tgz",
      `git+https://example.org/tool.git#${commit}`,
      "npm:other@^1.0.0",
    ];
    const plugins = entries.map((src, at) => `  p${at}: { src: "${src}" }`).join("\n");
    await writeFile(join(root, "site.yaml"), `title: T\nplugins:\n${plugins}\n`);
    const list = join(root, "node_modules/.package-lock.json");
    const before = await startFiles(root, { env, firstParty });
    assert.deepEqual([...before.packages], []);
    assert.ok(before.files.includes(list));
    assert.ok(before.files.includes(join(root, "node_modules/other/package.json")));
    const resolved = { kit: "file:kit.tgz", tool: `git+https://example.org/tool.git#${commit}` };
    const packages = Object.fromEntries(
      Object.entries(resolved).map(([name, from]) => [
        `node_modules/${name}`,
        { version: "1.0.0", resolved: from },
      ]),
    );
    for (const name of ["kit", "tool", "other"]) {
      await mkdir(join(root, "node_modules", name));
      await writeFile(join(root, "node_modules", name, "package.json"), '{ "version": "1.0.0" }');
    }
    await writeFile(list, JSON.stringify({ packages }));
    const after = await startFiles(root, { env, firstParty });
    assert.deepEqual([...after.packages.values()], ["kit", "tool", "other"]);
    assert.ok(!after.files.includes(list));
  });

  it("are reported when they change or appear, other files are not", async () => {
    watch.add(await startFiles(root, { env, firstParty }));
    await put("content/default.md");
    await put("plugins/a/a.test.ts");
    await put("plugins/a/data.json");
    await put("plugins/a/node_modules/x/index.js");
    await put("plugins/a/deep/part.tsx");
    await changed("plugins/a/deep/part.tsx");
    await put("env/dev/system.yaml");
    await changed("env/dev/system.yaml");
    await put("b.ts");
    await changed("b.ts");
    await put("node_modules/@scope/c/package.json");
    await changed("node_modules/@scope/c/package.json");
    assert.equal(watch.findPackage("node_modules/@scope/c/package.json"), "@scope/c");
    watch.add({ files: [join(root, "lib/shared.ts")] });
    await put("lib/shared.ts");
    await changed("lib/shared.ts");
    assert.deepEqual([...new Set(changes)].sort(), [
      "b.ts",
      "env/dev/system.yaml",
      "lib/shared.ts",
      "node_modules/@scope/c/package.json",
      "plugins/a/deep/part.tsx",
    ]);
  });

  it("are reported when they changed after a process read them, and before they were watched", async () => {
    await put("lib/old.ts");
    await put("lib/new.ts");
    const old = join(root, "lib/old.ts");
    const fresh = join(root, "lib/new.ts");
    const readAt = statSync(fresh).ctimeMs;
    watch.add({ files: [old, fresh] }, readAt + 10_000);
    watch.add({ files: [join(root, "lib/other.ts"), join(root, "b.ts")] }, readAt);
    await put("lib/latest.ts");
    watch.add({ files: [join(root, "lib/latest.ts")] }, readAt);
    await changed("lib/latest.ts");
    assert.deepEqual(changes, ["lib/latest.ts"]);
  });

  it("are reported in folders that appear, whatever is written first", async () => {
    watch.add(await startFiles(root, { env, firstParty }));
    for (let n = 0; n < 30; n += 1) {
      const file = `plugins/a/new-${n}/deep/part.ts`;
      await mkdir(join(root, dirname(file)), { recursive: true });
      writeFileSync(join(root, file), "x");
      await changed(file);
    }
  });
});
