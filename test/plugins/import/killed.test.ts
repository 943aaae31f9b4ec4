import assert from "node:assert/strict";
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { temporaryBeside } from "#lib/files";
import { importCommand } from "../../../plugins/import/commands.js";
import { sources } from "../../../plugins/import/sources/sources.js";
import { importSite } from "../../../plugins/import/write/import-site.js";
import { bootSite } from "../../support/sites/boot-site.js";
import { runCommand } from "../../support/sites/check-site.js";

/** More than are written at once. */
const FILES = 55;
const plugins = ["check", "content", "flex", "health", "import", "outbound", "render"];

describe("an import that is killed", () => {
  let folder = "";
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "site-test-"))));
  afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  async function prepare(): Promise<{ root: string; source: string }> {
    const [root, source] = [join(folder, "root"), join(folder, "source")];
    const names = Array.from({ length: FILES }, (_, at) => `${at}.png`);
    const shown = names.map((name) => `![${name}](${name})`).join("\n\n");
    const files: Record<string, string | Buffer> = {
      [join(root, "content/01.home/default.md")]: "---\ntitle: Home\n---\n",
      [join(root, "site.yaml")]: "title: Test\n",
      [join(source, "hugo.toml")]: 'title = "Old"\n',
      [join(source, "content/posts/new/index.md")]: `---\ntitle: New\n---\n${shown}\n`,
    };
    for (const [at, name] of names.entries()) {
      const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, at]);
      files[join(source, "content/posts/new", name)] = bytes;
    }
    for (const [path, data] of Object.entries(files)) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, data);
    }
    return { root, source };
  }

  /** Imports; `seen` is called after each page and file. */
  async function run(root: string, source: string, seen: () => void): Promise<void> {
    const site = await bootSite({ root, plugins });
    try {
      await importSite(site.site.context("import"), {
        from: "hugo",
        source: sources.hugo,
        input: { path: source, type: null, now: 0, timezone: "UTC" },
        dryRun: false,
        takesMedia: true,
        allowPrivate: false,
        onProgress: seen,
      });
    } finally {
      await site.close();
    }
  }

  const imported = (root: string): string[] => {
    const content = join(root, "content");
    const all = readdirSync(content, { recursive: true, withFileTypes: true });
    return all
      .filter((one) => one.isFile() && one.name !== "default.md")
      .filter(({ parentPath }) => !parentPath.startsWith(join(content, ".steps")))
      .map(({ name }) => name);
  };

  it("leaves no page without the files in its folder, and continues when it is run again", async () => {
    const { root, source } = await prepare();
    const killed = join(folder, "killed");
    await run(root, source, () => {
      if (existsSync(killed) || imported(root).length < FILES / 2) return;
      cpSync(root, killed, { recursive: true });
      const steps = join(killed, "content/.steps");
      // The process that is named there has not ended here.
      const names = readdirSync(steps).filter((name) => name !== ".gitignore");
      for (const name of names) rmSync(join(steps, name, "owner.lock"));
    });
    assert.equal(imported(root).length, FILES + 1);
    assert.ok(existsSync(killed) && imported(killed).length < FILES + 1);
    const site = await bootSite({ root: killed, plugins });
    assert.deepEqual(site.site.use("health").problems(), []);
    await site.close();
    assert.deepEqual(imported(killed), []);
    await run(killed, source, () => undefined);
    assert.deepEqual(imported(killed).toSorted(), imported(root).toSorted());
  });

  it("leaves files that the next import removes, of pages, records and the root", async function () {
    this.timeout(60_000);
    const { root, source } = await prepare();
    const halves = ["content/01.home/default.md", "flex-objects/boat/1.yaml", "site.yaml"].map(
      (path) => temporaryBeside(join(root, path)),
    );
    for (const half of halves) {
      await mkdir(dirname(half), { recursive: true });
      await writeFile(half, "half");
      await utimes(half, 0, 0);
    }
    const site = await bootSite({ root, plugins });
    await runCommand(site, importCommand, { args: ["hugo", source], options: {} });
    await site.close();
    assert.deepEqual(halves.filter(existsSync), []);
  });
});
