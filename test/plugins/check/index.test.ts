import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const page = (body: string, matter = "") => `---\ntitle: T\n${matter}---\n${body}\n`;
const files = {
  "site.yaml": "# the site\ntitle: Test\n",
  "content/01.home/default.md": page(
    "[blog](/blog) [file](../02.blog/01.one/default.md#x) [flat](/articles/first?q=1)",
  ),
  "content/02.blog/default.md": page(
    "[one](01.one/default.md) [two](/blog/two) ![p](01.one/p.png)",
  ),
  "content/02.blog/01.one/default.md": page(
    "[up](../default.md) [two](../02.two/default.md) ![own](p.png) [home](/) <a id='x'></a><a name='y'></a>",
  ),
  "content/02.blog/01.one/p.png": "png",
  "content/02.blog/02.two/default.md": page(
    "[one](../01.one) <a href='/blog/one#y'>x</a> ![p](/content-media/02.blog/01.one/p.png)",
  ),
  "content/articles/first.md": page("[second](second.md) [rel](./second)"),
  "content/articles/second.md": page("[first](first)"),
};

describe("checks of the content", () => {
  let site: TestSite;
  afterEach(() => site.close());

  async function boot(
    more: Record<string, string> = {},
    system: Record<string, unknown> = {},
  ): Promise<void> {
    site = await bootSite({
      files: { ...files, ...more },
      plugins: ["content", "check", "pages"],
      settings: { system },
    });
  }
  const check = () => site.site.use("check");
  const raw = async (path: string) => readFile(join(site.root, "content", path), "utf8");

  it("report nothing for a site whose links are valid", async () => {
    await boot();
    assert.deepEqual(await check().problems(), []);
  });

  it("report broken links, images and anchors with their line, and ignore other sites and other parts", async () => {
    const body = [
      "[a](missing.md) ![b](nothing.png) [c](/nowhere)",
      "[ok](https://example.org/x) [ok](mailto:a@example.org) [gone](#here) [ok](/api/nav?x=y) [ok](/api/pages)",
      "`[code](not/a/link.md)` [bad](%E0%A4%A)",
    ].join("\n");
    await boot({ "content/03.bad/default.md": page(body) });
    const problems = await check().problems();
    assert.deepEqual(
      problems.map(({ sourcePath, severity, code, line }) => [sourcePath, severity, code, line]),
      [
        ...[4, 4, 4].map((line) => ["03.bad/default.md", "error", "ERR_CHECK_LINK", line]),
        ["03.bad/default.md", "warning", "ERR_CHECK_ANCHOR", 5],
        ["03.bad/default.md", "error", "ERR_CHECK_LINK", 6],
      ],
    );
  });

  it("report duplicate routes, invalid front matter, missing and outdated translations, and orphans", async () => {
    await boot(
      {
        "content/03.x/default.md": page("", "slug: same\n"),
        "content/04.y/default.md": page("", "slug: same\n"),
        "content/05.bad/default.md": "---\ntitle: [\n---\n",
        "content/02.blog/orphan.png": "png",
      },
      { languages: { supported: ["en", "de"] } },
    );
    const codes = new Set(
      (await check().problems()).map(({ code, sourcePath }) => `${code} ${sourcePath}`),
    );
    for (const expected of [
      "ERR_CONTENT_DUPLICATE_ROUTE 04.y/default.md",
      "ERR_CONTENT_FRONT_MATTER 05.bad/default.md",
      "ERR_CHECK_UNTRANSLATED 02.blog/default.md",
      "ERR_CHECK_ORPHAN 02.blog/orphan.png",
    ]) {
      assert.ok(codes.has(expected), `${expected} in ${[...codes].join(", ")}`);
    }
  });

  it("are up to date: a link is broken once its page is deleted", async () => {
    await boot();
    assert.deepEqual(await check().problems(), []);
    await site.site.use("content").apply([{ op: "delete", path: "articles/second.md" }]);
    assert.equal((await check().problems()).length, 2);
  });

  it("list the links to a page, by file or by route", async () => {
    await boot();
    const references = await check().references("02.blog/01.one/default.md");
    assert.deepEqual(
      references.map(({ from, text, line }) => [from, text, line]),
      [
        ["01.home/default.md", "../02.blog/01.one/default.md#x", 4],
        ["02.blog/default.md", "01.one/default.md", 4],
        ["02.blog/02.two/default.md", "../01.one", 4],
        ["02.blog/02.two/default.md", "/blog/one#y", 4],
      ],
    );
    assert.deepEqual(await check().references("nothing.md"), []);
  });

  describe("move", () => {
    it("rewrites every link to a moved folder and out of it", async () => {
      await boot();
      const report = await check().move(check().movesFor("/blog/one", "/news"));
      assert.equal(report.ok, true);
      assert.equal(
        await raw("01.home/default.md"),
        page("[blog](/blog) [file](../01.news/default.md#x) [flat](/articles/first?q=1)"),
      );
      assert.equal(
        await raw("02.blog/default.md"),
        page("[one](../01.news/default.md) [two](/blog/two) ![p](../01.news/p.png)"),
      );
      assert.equal(
        await raw("01.news/default.md"),
        page(
          "[up](../02.blog/default.md) [two](../02.blog/02.two/default.md) ![own](p.png) [home](/) <a id='x'></a><a name='y'></a>",
        ),
      );
      assert.equal(
        await raw("02.blog/02.two/default.md"),
        page("[one](../../01.news) <a href='/news#y'>x</a> ![p](/content-media/01.news/p.png)"),
      );
      assert.deepEqual(await check().problems(), []);
    });

    it("keeps a redirect from the old address, in site.yaml and at once", async () => {
      await boot();
      await check().move(check().movesFor("/blog", "/journal"));
      assert.deepEqual(check() && site.site.use("content").view().resolve("/blog/two"), {
        kind: "redirect",
        to: "/journal/two",
        status: 301,
      });
      await check().move(check().movesFor("/journal", "/blog"));
      const yaml = await readFile(join(site.root, "site.yaml"), "utf8");
      assert.ok(yaml.startsWith("# the site\ntitle: Test\nredirects:\n"), yaml);
      assert.equal(site.site.use("content").view().resolve("/blog/two").kind, "page");
      const back = site.site.use("content").view().resolve("/journal/two");
      assert.deepEqual(back, { kind: "redirect", to: "/blog/two", status: 301 });
      assert.deepEqual(await check().problems(), []);
    });

    it("rewrites links that resolve only loosely, and leaves them while they work", async () => {
      const more = {
        "content/05.Guide/2026-01-02-First-Steps.md": page("Text.\n\n## Part"),
        "content/06.other/default.md": page(
          "[html](/guide/first-steps.html#part) [top](05.guide/first-steps.md) [gone](/guide/none.html)",
        ),
      };
      site = await bootSite({ files: more, plugins: ["content", "check", "pages", "markdown"] });
      const before = (await check().problems()).map(({ message }) => message);
      const dated = "05.Guide/2026-01-02-First-Steps.md";
      const renumbered = await check().move([{ path: "06.other", to: "07.other" }]);
      assert.deepEqual([renumbered.ok, renumbered.rewritten], [true, []]);
      await check().move([{ path: dated, to: "05.Guide/begin.md" }]);
      assert.equal(
        await raw("07.other/default.md"),
        page(
          "[html](../05.Guide/begin.md#part) [top](../05.Guide/begin.md) [gone](/guide/none.html)",
        ),
      );
      assert.deepEqual(
        (await check().problems()).map(({ message }) => message),
        before,
      );
    });

    it("moves a flat page, with its links", async () => {
      await boot();
      const report = await check().move(check().movesFor("/articles/first", "/blog/begin"));
      assert.deepEqual(report.results[0]?.status, "moved");
      assert.equal(
        await raw("02.blog/begin.md"),
        page("[second](../articles/second.md) [rel](../articles/second)"),
      );
      assert.equal(await raw("articles/second.md"), page("[first](../02.blog/begin)"));
      assert.match(await raw("01.home/default.md"), /\[flat\]\(\/blog\/begin\?q=1\)/);
      assert.deepEqual(await check().problems(), []);
    });

    it("keeps the slug of a page that moves, with links to its new address", async () => {
      const slug = "---\ntitle: Slug\nslug: short\n---\n";
      const link = page("[short](/blog/short)");
      await boot({ "content/02.blog/03.long/default.md": slug, "content/09.last.md": link });
      const moves = check().movesTo("02.blog/03.long/default.md", { parent: "/articles/first" });
      const { addresses, ok } = await check().move(moves);
      assert.equal(ok, true);
      assert.deepEqual(addresses, { "/blog/short": "/articles/first/short" });
      assert.equal(await raw("09.last.md"), page("[short](/articles/first/short)"));
      const entry = site.site.use("content").generation().at("/articles/first/short", "en");
      assert.equal(entry?.title, "Slug");
    });

    it("changes the slug of a page for another end of its address, and no other byte", async () => {
      const slug = "---\n# short\ntitle: Slug\nslug:  short # ours\n---\n";
      const link = page("[short](/blog/short) [below](/blog/short/deep)");
      await boot({
        "content/02.blog/03.long/default.md": slug + "[me](/blog/short)\n",
        "content/02.blog/03.long/default.de.md": "---\ntitle: Lang\n---\n",
        "content/02.blog/03.long/01.deep/default.md": page("Deep."),
        "content/09.last.md": link,
      });
      const path = "02.blog/03.long/default.md";
      const moves = check().movesTo(path, { segment: "brief" });
      const expected = { "/blog/short": "/blog/brief", "/blog/short/deep": "/blog/brief/deep" };
      const dry = await check().move(moves, { dryRun: true });
      assert.deepEqual([dry.ok, dry.addresses], [true, expected]);
      const { addresses, redirects, ok } = await check().move(moves);
      assert.deepEqual([ok, addresses], [true, expected]);
      assert.equal(redirects["/blog/short"], "/blog/brief");
      assert.equal(
        await raw(path),
        slug.replace("short # ours", "brief # ours") + "[me](/blog/brief)\n",
      );
      assert.equal(await raw("09.last.md"), page("[short](/blog/brief) [below](/blog/brief/deep)"));
      assert.deepEqual(check().movesTo(path, { segment: "brief" }), []);
    });

    it("moves a page below another one and changes its slug, as one step", async () => {
      const slug = "---\ntitle: Slug\nslug: short\n---\n";
      await boot({ "content/02.blog/03.long/default.md": slug });
      const target = { parent: "/articles/first", segment: "brief" };
      const moves = check().movesTo("02.blog/03.long/default.md", target);
      const { addresses, ok } = await check().move(moves);
      assert.equal(ok, true);
      assert.deepEqual(addresses, { "/blog/short": "/articles/first/brief" });
      const entry = site.site.use("content").generation().at("/articles/first/brief", "en");
      assert.equal(entry?.title, "Slug");
    });

    it("reports the old and the new addresses of all pages that move, in a dry run too", async () => {
      await boot();
      const moves = check().movesTo("02.blog/default.md", { segment: "journal" });
      const dry = await check().move(moves, { dryRun: true });
      const addresses = {
        "/blog": "/journal",
        "/blog/one": "/journal/one",
        "/blog/two": "/journal/two",
      };
      assert.deepEqual(dry.addresses, addresses);
      assert.deepEqual((await check().move(moves)).addresses, addresses);
      assert.deepEqual(check().movesTo("02.journal/default.md", { segment: "journal" }), []);
    });

    it("writes nothing when a change is rejected, or in a dry run", async () => {
      await boot();
      const refused = await check().move([{ path: "02.blog/01.one", to: "02.blog/02.two" }]);
      assert.equal(refused.ok, false);
      const dry = await check().move([{ path: "02.blog/01.one", to: "03.x" }], { dryRun: true });
      assert.equal(dry.ok, true);
      assert.ok(dry.rewritten.length > 0);
      for (const path of ["01.home/default.md", "02.blog/default.md"] as const) {
        assert.equal(await raw(path), files[`content/${path}`]);
      }
      assert.equal(await readFile(join(site.root, "site.yaml"), "utf8"), files["site.yaml"]);
    });

    it("rejects invalid, taken and missing routes, and routes below themselves", async () => {
      await boot();
      for (const [from, to] of [
        ["/nowhere", "/x"],
        ["/blog", "/articles/first"],
        ["/blog", "/blog/below"],
        ["/blog", "/../etc"],
        ["/blog", "/"],
        ["/", "/x"],
        ["/blog", "/a//b"],
      ] as const) {
        assert.throws(
          () => check().movesFor(from, to),
          { code: "ERR_CHECK_ROUTE" },
          `${from} ${to}`,
        );
      }
    });
  });
});
