import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
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

  it("offers documentation and blogs, whose content has no problems", async () => {
    for (const preset of ["docs", "blog"] as const) {
      const root = join(folder.path, preset);
      await scaffoldSite(root, now, preset);
      assert.equal(parse(await readFile(join(root, "site.yaml"), "utf8")).theme.preset, preset);
      const booted = await bootSite({ root, env: { SITE_ENV: "production" } });
      try {
        const isBlog = (await booted.fetch("/blog")).status === 200;
        assert.equal(isBlog, preset === "blog");
        const feed = await (await booted.fetch("/feed.xml")).text();
        assert.equal(
          feed.includes("<content:encoded>"),
          isBlog,
          "readers of a blog get whole texts",
        );
        assert.equal((await booted.fetch("/guide/writing")).status, isBlog ? 404 : 200);
        assert.deepEqual(await booted.site.use("check").problems(), []);
      } finally {
        await booted.close();
      }
    }
  });

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
    const { out, lines } = commandOutput();
    const site = () => Promise.reject(new Error("it needs no site"));
    await newSite.run({ args: [root], options: {}, root: ".", out, site });
    const text = lines.join("\n");
    assert.ok(text.includes(`npx sitewright dev --root '${root.replace("'", "'\\''")}'`), text);
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
  });
});
