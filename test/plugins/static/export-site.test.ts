import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { definePlugin } from "#kernel";
import { exportFolder, type ExportedFolder } from "../../support/export-folder.js";
import { picture } from "../../support/pictures.js";

const BLOG = `---
title: Blog
collection: { items: "@self.children", order: { by: date, dir: desc }, pagination: { size: 2 } }
---
`;
const post = (title: string, date: string): string =>
  `---\ntitle: ${JSON.stringify(title)}\ndate: ${date}\n---\nText of ${title}.\n`;
const FILES = {
  "site.yaml":
    "title: Test\nurl: https://example.org\nredirects: { /old: /blog, /away: 'https://other.example/x' }\nroutes: { /short: /blog/one }\n",
  "system.yaml": "languages: { supported: [en, de], default: en }\n",
  "content/01.home/default.md": "---\ntitle: Home\n---\n[Blog](/blog) [gone](/nowhere)\n",
  "content/02.blog/blog.md": BLOG,
  "content/02.blog/one/default.md": post("One", "2024-01-01"),
  "content/02.blog/two/default.md": post("Two", "2024-01-02"),
  "content/02.blog/two/default.de.md": post("Zwei", "2024-01-02"),
  "content/02.blog/three/default.md": post("Three", "2024-01-03"),
  "content/03.members/default.md": "---\ntitle: Members\nroles: [member]\n---\ncanary\n",
  "content/04.draft/default.md": "---\ntitle: Draft\npublished: false\n---\nunfinished\n",
  "content/05.über uns 100%/default.md":
    "---\ntitle: Über uns\nslug: über uns 100%#1\n---\nHallo.\n",
};

const byTarget = (a: { target: string }, b: { target: string }): number =>
  a.target < b.target ? -1 : 1;

describe("a static export", () => {
  let site: ExportedFolder;
  const open = async (files: Record<string, string | Buffer> = {}): Promise<ExportedFolder> =>
    (site = await exportFolder({ ...FILES, ...files }));
  afterEach(async () => site.close());

  it("holds pages, languages, aliases, redirects, numbered lists, feeds, files for hosts", async () => {
    await open();
    const report = await site.export();
    assert.deepEqual(report.failures, []);
    for (const file of [
      ...["index.html", "blog/index.html", "blog/page:2/index.html", "blog/one/index.html"],
      ...["de/index.html", "de/blog/two/index.html", "de/blog/one/index.html", "short/index.html"],
      ...["feed.xml", "atom.xml", "feed.json", "sitemap.xml", "robots.txt", "404.html"],
      ...["_headers", "_redirects", ".nojekyll", "search/index.html", "old/index.html"],
      ...["api/pages.json", "api/nav.json", "api/taxonomy.json", "api/config/site.json"],
      ...["themes/default/static/style.css", "_site/search/index.json", "_site/search/search.js"],
      "über uns 100%#1/index.html",
    ]) {
      assert.ok(existsSync(join(site.out, file)), file);
    }
    assert.match(await site.read("de/blog/two/index.html"), /Zwei/);
    assert.match(await site.read("_redirects"), /^\/old \/blog 301$/m);
    assert.match(await site.read("_redirects"), /^\/away https:\/\/other\.example\/x 301$/m);
    assert.match(await site.read("old/index.html"), /http-equiv="refresh" content="0; url=\/blog"/);
    assert.match(await site.read("404.html"), /404/);
  });

  it("tells of links that lead nowhere, and where they stand", async () => {
    await open();
    const { broken } = await site.export();
    assert.deepEqual(
      broken.filter(({ target }) => target.endsWith("/nowhere")).toSorted(byTarget),
      [
        // The page at /de is the English one, whose links stay in the language of its readers.
        { target: "/de/nowhere", from: ["/de"] },
        { target: "/nowhere", from: ["/"] },
      ],
    );
    // The page stays as it is; so does what is wrong with it.
    const again = await site.export();
    assert.deepEqual(again.broken, broken);
    await site.write("content/06.nowhere/default.md", "---\ntitle: Here\n---\n");
    assert.deepEqual((await site.export()).broken, []);
    await site.remove("content/06.nowhere");
    assert.deepEqual((await site.export()).broken, broken);
  });

  it("leaves gated pages and drafts out, and makes no folder of visitors", async () => {
    await open({
      "site.yaml": `${FILES["site.yaml"]}auth: { providers: { magicLink: { enabled: true } } }\n`,
      "content/03.members/secret.txt": "canary",
    });
    const report = await site.export();
    assert.equal(report.success, true);
    assert.equal(report.gated, 1);
    for (const file of site.files()) {
      const text = readFileSync(join(site.out, file), "latin1");
      assert.doesNotMatch(text, /canary|unfinished|Draft/, file);
      assert.ok(!file.startsWith("auth"), file);
    }
    for (const folder of ["data", ".dune/admin/sessions", ".dune/admin/users"]) {
      assert.ok(!existsSync(join(site.root, folder)), folder);
    }
  });

  it("holds drafts when they are asked for, and still no gated page", async () => {
    await open();
    await site.export({ includesDrafts: true });
    assert.match(await site.read("draft/index.html"), /unfinished/);
    assert.ok(!existsSync(join(site.out, "members")));
  });

  it("puts the path of the base URL before addresses, and leaves examples of code alone", async () => {
    await open({
      "content/01.home/default.md":
        '---\ntitle: Home\n---\n[Blog](/blog)\n\n    <a href="/blog">\n',
    });
    await site.export({ baseUrl: "https://example.org/docs" });
    const html = await site.read("index.html");
    assert.match(html, /<a href="\/docs\/blog">Blog<\/a>/);
    assert.match(html, /href="\/blog"/);
    assert.match(html, /<link rel="canonical" href="https:\/\/example\.org\/docs\/">/);
    assert.match(html, /href="\/docs\/themes\/default\/static\/style\.css\?v=/);
    assert.match(await site.read("_redirects"), /^\/docs\/old \/docs\/blog 301$/m);
    assert.match(await site.read("sitemap.xml"), /<loc>https:\/\/example\.org\/docs\/blog<\/loc>/);
  });

  it("makes the variants of images that pages use, under names a host can serve", async () => {
    await open({
      "content/01.home/photo.png": await picture(800, 600),
      "content/01.home/default.md": "---\ntitle: Home\n---\n![A photo](photo.png)\n",
    });
    const report = await site.export();
    assert.deepEqual(report.failures, []);
    const html = await site.read("index.html");
    assert.match(html, /srcset="\/content-media\/01\.home\/photo\.w320\.png 320w, /);
    assert.ok(existsSync(join(site.out, "content-media/01.home/photo.png")));
    assert.ok(existsSync(join(site.out, "content-media/01.home/photo.w640.png")));
    const kept = await site.export();
    assert.equal(kept.removed, 0);
    await site.write("content/01.home/default.md", "---\ntitle: Home\n---\nNo photo.\n");
    await site.export();
    assert.ok(!existsSync(join(site.out, "content-media/01.home/photo.w640.png")));
  });

  it("removes a file that only links led to when no page links to it any more", async () => {
    const home = (body: string): string => `---\ntitle: Home\n---\n${body}\n`;
    const link = "[Photo](/blog/three/photo.png)\n";
    const two = post("Two", "2024-01-02");
    await open({
      // Its address in the export is below `content-media`; this one exists through links alone.
      "content/02.blog/three/photo.png": await picture(8, 8),
      "content/01.home/default.md": home(link),
    });
    const file = join(site.out, "blog/three/photo.png");
    await site.export();
    assert.ok(existsSync(file));
    await site.write("content/02.blog/two/default.md", two + link);
    await site.export();
    await site.write("content/01.home/default.md", home("No photo."));
    const kept = await site.export();
    assert.ok(existsSync(file), "another page, which did not change, links to it");
    assert.ok(!kept.broken.some(({ target }) => target === "/blog/three/photo.png"));
    await site.write("content/02.blog/two/default.md", two);
    await site.export();
    assert.ok(!existsSync(file));
  });

  it("removes the copy of a picture whose page became a draft, though another page links to it", async () => {
    const three = post("Three", "2024-01-03");
    await open({
      "content/02.blog/three/photo.png": await picture(8, 8),
      "content/02.blog/two/default.md":
        post("Two", "2024-01-02") + "[Photo](/content-media/02.blog/three/photo.png)\n",
    });
    const file = join(site.out, "content-media/02.blog/three/photo.png");
    await site.export();
    assert.ok(existsSync(file));
    await site.write(
      "content/02.blog/three/default.md",
      three.replace("title", "published: false\ntitle"),
    );
    await site.export();
    assert.ok(!existsSync(file));
  });

  it("makes nothing twice: only what a change touches is written", async () => {
    await open();
    const first = await site.export();
    const second = await site.export();
    assert.deepEqual([second.written, second.removed], [0, 0]);
    assert.ok(second.rendered < first.rendered / 2, `${second.rendered} of ${first.rendered}`);
    const before = (await stat(join(site.out, "blog/two/index.html"))).mtimeMs;
    await site.write("content/02.blog/one/default.md", post("One", "2024-01-01") + "More.\n");
    await site.export();
    assert.match(await site.read("blog/one/index.html"), /More/);
    assert.equal((await stat(join(site.out, "blog/two/index.html"))).mtimeMs, before);
  });

  it("gives, after changes, what an export made anew gives", async () => {
    await open();
    await site.export();
    await site.write("content/02.blog/four/default.md", post("Four", "2024-01-04"));
    await site.write("content/02.blog/one/default.md", post("Uno", "2024-02-01"));
    await site.remove("content/02.blog/three");
    await site.export();
    const files = site.files().filter((file) => !file.startsWith("_site/"));
    const texts = new Map(
      files.map((file) => [file, readFileSync(join(site.out, file), "latin1")]),
    );
    await site.export({ isFresh: true });
    assert.deepEqual(
      site.files().filter((file) => !file.startsWith("_site/")),
      files,
    );
    for (const [file, text] of texts) {
      if (file !== ".site-export.json") assert.equal(await site.read(file).then(latin), text, file);
    }
  });

  it("makes everything anew when theme or settings have changed", async () => {
    await open();
    const first = await site.export();
    await site.write("site.yaml", FILES["site.yaml"].replace("title: Test", "title: Other"));
    const second = await site.export();
    assert.equal(second.rendered, first.rendered);
    assert.match(await site.read("blog/one/index.html"), /Other/);
  });

  it("reads no text anew for the search when only the theme has changed", async () => {
    await open({
      "site.yaml": `${FILES["site.yaml"]}theme: { name: own }\n`,
      "themes/own/theme.yaml": "name: own\nparent: default\n",
      "themes/own/css/own.css": "p { color: red }",
    });
    const first = await site.export();
    const index = await site.read("_site/search/index.json");
    const basis = async (): Promise<string[]> => {
      const { basis: found } = JSON.parse(await site.read(".site-export.json")) as {
        basis: string;
      };
      return found.split(".");
    };
    const [rest, themes] = await basis();
    await site.write("themes/own/css/own.css", "p { color: blue }");
    const second = await site.export();
    assert.equal(second.rendered, first.rendered);
    assert.equal(await site.read("_site/search/index.json"), index);
    const [restNow, themesNow] = await basis();
    assert.equal(restNow, rest);
    assert.notEqual(themesNow, themes);
    await site.write("site.yaml", FILES["site.yaml"].replace("title: Test", "title: Other"));
    await site.export();
    assert.notEqual((await basis())[0], rest);
  });

  it("is drawn by the templates of now, in a process that has loaded those of before", async () => {
    const template = (text: string): string =>
      `export default ({ page }) => <p>{page.title} ${text}</p>;\n`;
    await open({
      "site.yaml": `${FILES["site.yaml"]}theme: { name: own }\n`,
      "themes/own/theme.yaml": "name: own\nparent: default\n",
      "themes/own/templates/default.tsx": template("before"),
    });
    await site.export();
    assert.match(await site.read("blog/one/index.html"), /One before/);
    await site.write("themes/own/templates/default.tsx", template("after"));
    await site.export();
    assert.match(await site.read("blog/one/index.html"), /One after/);
  });

  it("tells in the sitemap the day on which a text was changed last, and draws no page anew for it", async () => {
    await open();
    const file = join(site.root, "content/02.blog/one/default.md");
    const lastmod = async (): Promise<string | undefined> =>
      /blog\/one<\/loc><lastmod>([^<]*)/.exec(await site.read("sitemap.xml"))?.[1];
    await utimes(file, new Date("2020-01-02"), new Date("2020-01-02"));
    await site.export();
    assert.equal(await lastmod(), "2020-01-02");
    await utimes(file, new Date("2020-01-03"), new Date("2020-01-03"));
    assert.equal((await site.export()).written, 1);
    assert.equal(await lastmod(), "2020-01-03");
    await site.write("content/02.blog/one/default.md", post("One", "2024-01-01") + "More.\n");
    await site.export();
    assert.equal(await lastmod(), new Date().toISOString().slice(0, 10));
  });

  it("restores what somebody has changed or deleted in the export", async () => {
    await open();
    await site.export();
    const text = await site.read("blog/one/index.html");
    await writeFile(join(site.out, "blog/one/index.html"), "x".repeat(text.length));
    await utimes(join(site.out, "blog/one/index.html"), 1, 1);
    await rm(join(site.out, "blog/two"), { recursive: true });
    await site.export();
    assert.equal(await site.read("blog/one/index.html"), text);
    assert.ok(existsSync(join(site.out, "blog/two/index.html")));
  });

  it("works over threads, with the same result", async function () {
    this.timeout(120_000);
    const many = Object.fromEntries(
      Array.from({ length: 700 }, (_, at) => [
        `content/09.many/p${at}/default.md`,
        post(`Page ${at}`, "2024-03-01"),
      ]),
    );
    await open(many);
    const here = await site.export();
    const files = site.files();
    const threads = await site.export({ isFresh: true, concurrency: 2 });
    assert.deepEqual(threads.failures, []);
    assert.equal(threads.files, here.files);
    assert.equal(threads.written, 0);
    assert.deepEqual(site.files(), files);
  });

  it("lists pages that fail, exports the others, and keeps what the failed ones showed", async () => {
    await open({
      "themes/broken/theme.yaml": "name: broken\nparent: default\n",
      "themes/broken/templates/fragile.tsx":
        "export default ({ page }) => { if (page.frontmatter.boom) throw new Error('boom'); return <p>{page.title}</p>; };\n",
      "site.yaml": `${FILES["site.yaml"]}theme: { name: broken }\n`,
      "content/06.fragile/fragile.md": "---\ntitle: Fragile\n---\n",
    });
    assert.equal((await site.export()).success, true);
    await site.write("content/06.fragile/fragile.md", "---\ntitle: Fragile\nboom: true\n---\n");
    const { success, failures } = await site.export();
    assert.equal(success, false);
    assert.deepEqual([...new Set(failures.map(({ url }) => url))], ["/fragile", "/de/fragile"]);
    assert.match(failures[0]?.message ?? "", /boom/);
    assert.match(await site.read("fragile/index.html"), /Fragile/);
  });

  it("reports two pages for one file, and keeps the first", async () => {
    await open({ "content/07.index/default.md": "---\ntitle: Not home\nslug: index.html\n---\n" });
    const { failures } = await site.export();
    // In each language; which of them comes first is a matter of time.
    const messages = failures.map(({ message }) => message).join("\n");
    assert.match(messages, /^index\.html is made from \/(?:index\.html)? too/m);
    assert.ok(existsSync(join(site.out, "index.html")));
  });

  it("adds what a plugin puts into scripts with a nonce to the policy, by its digest", async () => {
    await open();
    const plugin = definePlugin({
      name: "inline",
      version: "1.0.0",
      requires: ["render"],
      hooks: {
        onAfterRender: ({ data, setData }) => {
          const script = `<script nonce="${data.req.ctx.nonce()}">let a = "<b>";</script>`;
          setData({ ...data, html: data.html.replace("</body>", `${script}</body>`) });
        },
      },
    });
    await site.export({ extraPlugins: [plugin] });
    const html = await site.read("index.html");
    assert.match(html, /<script>let a = "<b>";<\/script>/);
    assert.match(await site.read("_headers"), /script-src 'self' 'sha256-[\w+/]+=*'/);
    assert.doesNotMatch(await site.read("_headers"), /nonce/);
  });

  it("puts a changed page into the search of the export, and takes a removed one out", async () => {
    await open();
    await site.export();
    await site.write("content/02.blog/one/default.md", post("One", "2024-01-01") + "zebra\n");
    await site.remove("content/02.blog/three");
    await site.export();
    const index = JSON.parse(await site.read("_site/search/index.json")) as {
      late: string;
      removed: number[];
    };
    assert.match(await site.read(`_site/search/${index.late}`), /zebra/);
    assert.equal(index.removed.length, 2);
  });
});

describe("the folder of an export", () => {
  let site: ExportedFolder;
  beforeEach(async () => void (site = await exportFolder(FILES)));
  afterEach(async () => site.close());

  for (const [name, folder] of [
    ["the site's own folder", "."],
    ["a folder that holds it", ".."],
    ["the content", "content"],
    ["a folder in the content", "content/dist"],
    ["the themes", "themes/dist"],
    ["the site's runtime folder", ".dune/admin/dist"],
  ] as const) {
    it(`may not be ${name}`, async () => {
      await assert.rejects(site.export({ out: join(site.root, folder) }), {
        code: "ERR_STATIC_OUT",
      });
      assert.ok(existsSync(join(site.root, "content/01.home/default.md")));
    });
  }

  it("may not be a link into the content", async () => {
    await symlink(join(site.root, "content"), join(site.root, "dist"));
    await assert.rejects(site.export(), { code: "ERR_STATIC_OUT" });
  });

  it("may not hold files of others; nothing of it is touched", async () => {
    await mkdir(site.out);
    await writeFile(join(site.out, "thesis.txt"), "years of work");
    await assert.rejects(site.export(), { code: "ERR_STATIC_FOREIGN" });
    assert.deepEqual(
      site.files().filter((file) => !file.startsWith(".site-export")),
      ["thesis.txt"],
    );
  });

  it("keeps what others put beside the files of an export, and writes over none of it", async () => {
    await site.export();
    await writeFile(join(site.out, "CNAME"), "example.org");
    await mkdir(join(site.out, "new"));
    await writeFile(join(site.out, "new/index.html"), "mine");
    await site.write("content/06.new/default.md", "---\ntitle: New\n---\n");
    const { failures } = await site.export();
    assert.equal(await site.read("CNAME"), "example.org");
    assert.equal(await site.read("new/index.html"), "mine");
    assert.match(failures[0]?.message ?? "", /was not written by an export/);
  });

  it("writes through no link that somebody put there", async () => {
    await site.export();
    const elsewhere = join(site.root, "elsewhere");
    await mkdir(elsewhere);
    await rm(join(site.out, "blog"), { recursive: true });
    await symlink(elsewhere, join(site.out, "blog"));
    await assert.rejects(site.export(), { code: "ERR_STATIC_WRITE" });
    assert.ok(!existsSync(join(elsewhere, "index.html")));
  });

  it("is not written by two at once", async () => {
    const outcomes = await Promise.allSettled([site.export(), site.export()]);
    const failed = outcomes.filter((outcome) => outcome.status === "rejected");
    assert.deepEqual(
      failed.map(({ reason }) => reason.code),
      ["ERR_STATIC_BUSY"],
    );
    assert.equal((await site.export()).success, true);
  });

  it("keeps the last export when this one cannot be written", async () => {
    await site.export();
    const before = site.files();
    const text = await site.read("blog/one/index.html");
    await site.write("content/02.blog/one/default.md", post("Other", "2024-01-01"));
    // A folder where the new files would go cannot be written into, whoever runs the tests.
    await writeFile(join(site.out, ".site-export"), "");
    await assert.rejects(site.export());
    await rm(join(site.out, ".site-export"));
    assert.deepEqual(site.files(), before);
    assert.equal(await site.read("blog/one/index.html"), text);
  });

  it("is finished by the next export when the last moves were cut off", async () => {
    await site.export();
    await site.write("content/02.blog/one/default.md", post("Cut", "2024-01-01"));
    const work = join(site.out, ".site-export");
    await mkdir(join(work, "files"), { recursive: true });
    await writeFile(join(work, "files/page-1"), "new bytes");
    const moves = [
      ["page-1", "blog/two/index.html"],
      ["../../../x", "y"],
      ["page-1", "../z"],
    ];
    await writeFile(
      join(work, "commit.json"),
      JSON.stringify({ moves, removes: ["../site.yaml", "feed.xml"] }),
    );
    await site.export();
    assert.ok(existsSync(join(site.root, "site.yaml")));
    assert.ok(!existsSync(work));
    // What the interrupted commit moved does not fit the manifest any more: it is made again.
    assert.match(await site.read("blog/two/index.html"), /Text of Two/);
    assert.ok(existsSync(join(site.out, "feed.xml")));
  });

  it("forgets a manifest that is damaged, and makes everything anew", async () => {
    await site.export();
    const manifest = join(site.out, ".site-export.json");
    const whole = JSON.parse(await readFile(manifest, "utf8"));
    for (const text of ["{ not json", JSON.stringify({ ...whole, outputs: [null] })]) {
      await writeFile(manifest, text);
      const report = await site.export();
      assert.deepEqual([report.success, report.kept], [true, 0]);
    }
  });
});

function latin(text: string): string {
  return Buffer.from(text).toString("latin1");
}
