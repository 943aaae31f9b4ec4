import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { packageRoot } from "#lib/packages";
import { newSite, scaffoldSite } from "../../../plugins/render/new-site.js";
import { signIn } from "../../support/sites/admin-site.js";
import { bootSite } from "../../support/sites/boot-site.js";
import { commandOutput } from "../../support/processes/command-output.js";
import { useFolder } from "../../support/folder.js";

const run = promisify(execFile);
const now = new Date("2026-05-04T10:00:00Z");

/** Runs the command; resolves with its output. */
async function runNew(root: string, options: Record<string, string> = {}): Promise<string> {
  const { out, lines } = commandOutput();
  const site = () => Promise.reject(new Error("it needs no site"));
  await newSite.run({ args: [root], options, root: ".", out, site });
  return lines.join("\n");
}

describe("site new", () => {
  const folder = useFolder();

  it("writes three pages, a post, an image and the three config files", async () => {
    const files = await scaffoldSite(join(folder.path, "my-site"), now);
    for (const name of ["site.yaml", "system.yaml", "admin.yaml", ".gitignore"]) {
      assert.ok(files.includes(name), name);
    }
    assert.equal(files.filter((file) => file.endsWith(".md")).length, 4);
    assert.ok(files.some((file) => file.endsWith(".png")));
  });

  it("keeps accounts, secrets, caches and installed packages out of git", async () => {
    await scaffoldSite(join(folder.path, "my-site"), now);
    const ignored = (await readFile(join(folder.path, "my-site/.gitignore"), "utf8")).split("\n");
    const { dataDir, runtimeDir } = parse(
      await readFile(join(folder.path, "my-site/admin.yaml"), "utf8"),
    );
    const installed = ["node_modules/", ".yarn/install-state.gz"];
    for (const path of [`${dataDir}/`, `${runtimeDir.split("/")[0]}/`, ".env", ...installed]) {
      assert.ok(ignored.includes(path), path);
    }
  });

  it("offers documentation, blogs and portfolios, whose content has no problems", async () => {
    for (const preset of ["docs", "blog", "portfolio"] as const) {
      const root = join(folder.path, preset);
      await scaffoldSite(root, now, { preset });
      assert.equal(parse(await readFile(join(root, "site.yaml"), "utf8")).theme.preset, preset);
      const booted = await bootSite({ root, env: { SITE_ENV: "production" } });
      try {
        for (const [path, owner] of [
          ["/blog", "blog"],
          ["/guide/writing", "docs"],
          ["/work/stoneware", "portfolio"],
        ] as const) {
          const { status } = await booted.fetch(path);
          assert.equal(status, owner === preset ? 200 : 404, `${path} of ${preset}`);
        }
        const feed = await (await booted.fetch("/feed.xml")).text();
        assert.equal(
          feed.includes("<content:encoded>"),
          preset === "blog",
          "readers of a blog get whole texts",
        );
        assert.deepEqual(await booted.site.use("check").problems(), []);
      } finally {
        await booted.close();
      }
    }
  });

  it("takes title, languages and look, and only translations are missing", async () => {
    const root = join(folder.path, "chosen");
    const title = 'Ines\u2019 "boats": {{date}} \\';
    await runNew(root, { name: title, languages: "de, en,pt-BR", look: "book" });
    const site = parse(await readFile(join(root, "site.yaml"), "utf8"));
    assert.deepEqual([site.title, site.theme.look], [title, "book"]);
    const { languages } = parse(await readFile(join(root, "system.yaml"), "utf8"));
    assert.deepEqual(languages, { supported: ["de", "en", "pt-BR"], default: "de" });
    const booted = await bootSite({ root, env: { SITE_ENV: "production" } });
    try {
      const html = await (await booted.fetch("/en")).text();
      assert.match(html, /looks\/book\.css/);
      const codes = (await booted.site.use("check").problems()).map(({ code }) => code);
      assert.deepEqual([...new Set(codes)], ["ERR_CHECK_UNTRANSLATED"]);
    } finally {
      await booted.close();
    }
  });

  for (const [options, fix] of [
    [{ preset: "shop" }, /docs, blog, portfolio|site, docs/],
    [{ look: "loud" }, /paper, slate, book, poster/],
    [{ languages: "english" }, /en,pt-BR/],
    [{ languages: "en,en" }, /en,pt-BR/],
    [{ languages: "" }, /en,pt-BR/],
    [{ name: " " }, /title/],
    [{ name: "two\nlines" }, /title/],
  ] as const) {
    it(`rejects ${JSON.stringify(options)}, names the valid values, and writes nothing`, async () => {
      const root = join(folder.path, "rejected");
      await assert.rejects(runNew(root, options), { code: "ERR_CLI_OPTION", fix });
      assert.equal(existsSync(root), false);
    });
  }

  it("completes the package.json of a folder in which the package is installed", async () => {
    const root = join(folder.path, "installed");
    await mkdir(join(root, "node_modules/sitewright"), { recursive: true });
    const manifest = {
      name: "mine",
      scripts: { dev: "mine", test: "tests" },
      dependencies: { sitewright: "^9.0.0" },
    };
    await writeFile(join(root, "package.json"), JSON.stringify(manifest));
    await writeFile(join(root, "package-lock.json"), "{}");
    await scaffoldSite(root, now);
    const written = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    assert.deepEqual(written.dependencies, { sitewright: "^9.0.0" });
    assert.deepEqual([written.name, written.private, written.type], ["mine", true, "module"]);
    assert.deepEqual([written.scripts.dev, written.scripts.test], ["mine", "tests"]);
    assert.equal(written.scripts.start, "site serve");
  });

  for (const text of ["{", "[]", '{ "scripts": "none" }']) {
    it(`does not replace the package.json ${text}`, async () => {
      const root = join(folder.path, "broken");
      await mkdir(root);
      await writeFile(join(root, "package.json"), text);
      await assert.rejects(scaffoldSite(root, now), { code: "ERR_SCAFFOLD_NOT_EMPTY" });
      assert.deepEqual(await readdir(root), ["package.json"]);
      assert.equal(await readFile(join(root, "package.json"), "utf8"), text);
    });
  }

  it("lets npm install packages into the site, and git ignore generated files", async () => {
    const root = join(folder.path, "my-site");
    await writeFile(join(folder.path, "package.json"), '{ "private": true }');
    await mkdir(join(folder.path, "hello"));
    await writeFile(
      join(folder.path, "hello/package.json"),
      '{ "name": "hello", "version": "1.0.0" }',
    );
    await scaffoldSite(root, now);
    await run("npm", ["install", "--offline", "--no-audit", "../hello"], { cwd: root });
    const manifest: unknown = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    const sitewright = `file:${relative(root, packageRoot())}`;
    assert.deepEqual(Object(manifest).dependencies, { hello: "file:../hello", sitewright });
    assert.deepEqual(Object(manifest).private, true);
    await writeFile(join(root, ".env"), "SITE_AUTH_SECRET=x\n");
    await run("git", ["init", "--quiet"], { cwd: root });
    const { stdout } = await run("git", ["status", "--porcelain", "-uall"], { cwd: root });
    assert.doesNotMatch(stdout, /node_modules|\.env/);
    assert.match(stdout, /\?\? package\.json\n/);
  });

  it("prints the next steps from this folder, the address of the panel and the source of the first password", async () => {
    const root = join(folder.path, "it's mine");
    const text = await runNew(root);
    assert.ok(text.includes(`npx sitewright dev --root '${root.replace("'", "'\\''")}'`), text);
    assert.match(text, /build --static --root .* {2}export plain files to dist\//);
    assert.match(text, /http:\/\/localhost:8000\/admin, user admin/);
    const named = /password to (.*)$/.exec(text)?.[1] ?? "";
    const booted = await bootSite({ root, env: { SITE_ENV: "production" } });
    try {
      assert.match(await readFile(named, "utf8"), /^\S{16,}\n$/);
      const panel = await booted.fetch("/admin");
      assert.ok([200, 302].includes(panel.status), String(panel.status));
    } finally {
      await booted.close();
    }
  });

  it("puts a post that is written in the panel first in the blog and in the feed", async () => {
    const root = join(folder.path, "dated");
    await scaffoldSite(root, now);
    const booted = await bootSite({ root, env: { SITE_ENV: "production" } });
    try {
      const editor = await signIn(booted, "editor", "ed");
      const page = { parent: "/blog", template: "post", frontmatter: { title: "Second post" } };
      const { sourcePath } = await editor.json(201, "POST", "/admin/api/pages", page);
      const content = await readFile(join(root, "content", sourcePath), "utf8");
      await editor.json(201, "PUT", `/admin/api/drafts/${sourcePath}`, {
        content: `${content}Text.\n`,
      });
      const status = { status: "published" };
      await editor.json(200, "POST", `/admin/api/drafts/${sourcePath}/publish`, status);
      for (const path of ["/blog", "/feed.xml"]) {
        const text = await (await booted.fetch(path)).text();
        const [second, first] = ["/blog/second-post", "/blog/hello-world"].map((at) =>
          text.indexOf(at),
        );
        assert.ok(second !== undefined && first !== undefined && second >= 0, path);
        assert.ok(second < first, path);
      }
    } finally {
      await booted.close();
    }
  });

  it("names the site after its folder and dates the post", async () => {
    const root = join(folder.path, `it's "mine": {{date}}`);
    await scaffoldSite(root, now);
    const site: unknown = parse(await readFile(join(root, "site.yaml"), "utf8"));
    assert.ok(typeof site === "object" && site !== null && "title" in site);
    assert.equal(site.title, "It s mine date");
    const post = await readFile(join(root, "content/02.blog/hello-world/post.md"), "utf8");
    assert.match(post, /date: "2026-05-04"/);
  });

  it("changes no folder that is not empty", async () => {
    await writeFile(join(folder.path, "mine.txt"), "mine");
    await assert.rejects(scaffoldSite(folder.path, now), { code: "ERR_SCAFFOLD_NOT_EMPTY" });
    await assert.rejects(readFile(join(folder.path, "site.yaml")), { code: "ENOENT" });
    // The current folder, which is that of the repository.
    await assert.rejects(scaffoldSite("", now), { code: "ERR_SCAFFOLD_NOT_EMPTY" });
  });
});
