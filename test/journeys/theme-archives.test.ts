import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createEnv, createSite, silentLog } from "#kernel";
import { readSiteLock } from "#lib/packages";
import {
  addThemeCommand,
  removeThemeCommand,
  listCommand,
} from "../../plugins/packages/commands/sources.js";
import { checkCommand, syncCommand } from "../../plugins/packages/commands/lockfile.js";
import { firstParty } from "../../plugins/main.js";
import { commitPlugin, packPlugin } from "../support/packages/package-archives.js";
import { usePackageSite } from "../support/packages/package-site.js";
import { useFolder } from "../support/folder.js";

/** The files of a theme whose pages say `words`. */
const theme = (words: string): Record<string, string> => ({
  "theme.yaml": "name: sepia\nversion: 1.0.0\nparent: default\n",
  "templates/default.tsx": `export default ({ page }: { page: { title: string } }) =>
  <main>{page.title}: ${words}</main>;\n`,
});

describe("themes from tarballs and from git", function () {
  this.timeout(240_000);
  const { folder, read, run, write } = usePackageSite();
  const elsewhere = useFolder();
  const tarball = "file:./vendor/sepia-1.0.0.tgz";
  const at = (...parts: string[]): string => join(folder.path, ...parts);
  const template = (): string => at("node_modules", "sepia", "templates", "default.tsx");
  beforeEach(() => write("content/index.md", "# Hello\n"));

  const pack = async (words: string): Promise<void> => {
    await write("vendor/.keep", "");
    await packPlugin(at("vendor/sepia-1.0.0.tgz"), { name: "sepia", files: theme(words) });
  };
  /** The home page as the site serves it. */
  const home = async (): Promise<string> => {
    const site = await createSite(folder.path, {
      firstParty,
      env: createEnv({}),
      log: silentLog,
    });
    try {
      const port = await site.listen(0);
      await site.start();
      return await (await fetch(`http://127.0.0.1:${port}/`)).text();
    } finally {
      await site.close();
    }
  };

  it("are installed, pinned, listed and shown", async () => {
    await pack("in sepia");
    const added = await run(addThemeCommand, ["file:vendor/sepia-1.0.0.tgz"], { use: true });
    assert.equal(added.code, 0);
    assert.match(await read("site.yaml"), /theme:\n {2}name: sepia\n {2}src: file:\.\/vendor/);
    const lock = await readSiteLock(folder.path);
    assert.deepEqual(lock?.specifiers, { [tarball]: "sepia@1.0.0" });
    const pinned = lock.packages["sepia@1.0.0"];
    assert.match(`${pinned?.integrity} ${pinned?.files}`, /^sha512-\S+ sha512-\S+$/);
    const [row] = (await run(listCommand, [], { json: true })).json.items;
    assert.deepEqual([row.kind, row.name, row.state], ["theme", "sepia", "ok"]);
    assert.match(await home(), /<main>Hello: in sepia<\/main>/);
  });

  it("are installed from the lock, and rejected with other files than the pinned ones", async () => {
    await pack("as packed");
    await run(addThemeCommand, [tarball], { use: true });
    const lock = await read("site.lock");
    await rm(at("node_modules"), { recursive: true });
    await assert.rejects(home(), { code: "ERR_THEME_SOURCE", fix: "run site lockfile:sync" });
    assert.equal((await run(syncCommand)).code, 0);
    assert.equal(await read("site.lock"), lock);

    await writeFile(template(), "export default () => <main>edited</main>;\n");
    await assert.rejects(home(), { code: "ERR_LOCK_DRIFT", message: /sepia@1\.0\.0 differs/ });
    assert.equal((await run(checkCommand)).code, 1);
    assert.equal((await run(syncCommand, [], { reinstall: true })).code, 0);
    assert.match(await home(), /as packed/);
  });

  it("come from a branch as its commit, and leave with theme:remove", async () => {
    const repository = `git+file://${elsewhere.path}`;
    const commit = await commitPlugin(elsewhere.path, { name: "sepia", files: theme("from git") });
    assert.equal((await run(addThemeCommand, [`${repository}#main`], { use: true })).code, 0);
    const src = `${repository}#${commit}`;
    assert.ok((await read("site.yaml")).includes(`src: ${src}`));
    assert.deepEqual((await readSiteLock(folder.path))?.specifiers, { [src]: "sepia@1.0.0" });
    const [row] = (await run(listCommand, [], { json: true })).json.items;
    assert.equal((await run(removeThemeCommand, [row.name])).code, 0);
    assert.deepEqual((await readSiteLock(folder.path))?.packages, {});
    assert.doesNotMatch(await read("site.yaml"), /theme/);
  });
});
