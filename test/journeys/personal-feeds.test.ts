import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { bootSite, type TestSite } from "../support/sites/boot-site.js";

const post = (title: string, date: string, more = ""): string =>
  `---\ntitle: ${title}\ndate: ${date}\n${more}---\nText.\n`;
const files = {
  "site.yaml": "title: T\nurl: https://example.org\n",
  "system.yaml": "timezone: Europe/Berlin\nlanguages: { supported: [en, de] }\n",
  "content/01.home/default.md": "# Home\n",
  "content/blog/blog.md": "# Blog\n",
  "content/blog/a/post.md": post("Morning", "2026-05-01 08:30"),
  "content/blog/b/post.md": post("Evening", "2026-05-01T20:00:00+02:00"),
  "content/blog/c/post.md": post("All day", "2026-05-01"),
  "content/blog/d/post.md": post("Members", "2026-04-01", "roles: member\n"),
  "content/blog/e/post.de.md": post("Deutsch", "2026-03-01"),
};
/** Like a session or a token: sets the viewer. */
const visitor = definePlugin({
  name: "visitor",
  version: "1.0.0",
  setup(site) {
    site.http.use("identity", (req, _res, next) => {
      const role = req.headers["x-role"];
      if (typeof role === "string") {
        req.ctx.state.viewer = { roles: [role], seesUnpublished: role === "admin" };
      }
      next();
    });
  },
});

describe("feeds and the sitemap of a visitor", () => {
  let site: TestSite;
  before(async () => {
    const plugins = ["feeds", "pages", "render", "cache"];
    site = await bootSite({ files, plugins, extraPlugins: [visitor] });
  });
  after(() => site.close());
  const PLACES = ["/feed.xml", "/atom.xml", "/feed.json", "/blog/feed.xml", "/sitemap.xml"];

  for (const path of PLACES) {
    it(`${path} has the gated pages that the visitor may read, and is private`, async () => {
      const ask = (role?: string) =>
        site.fetch(path, role === undefined ? {} : { headers: { "x-role": role } });
      const isListed = async (answer: Response): Promise<boolean> =>
        (await answer.text()).includes("/blog/d");
      for (let round = 0; round < 2; round += 1) {
        for (const [role, listed] of [
          ["member", true],
          [undefined, false],
          ["admin", true],
          ["other", false],
        ] as const) {
          const answer = await ask(role);
          const control = answer.headers.get("cache-control") ?? "";
          assert.equal(
            control.includes("private, no-store"),
            role !== undefined,
            `${path} ${role}`,
          );
          assert.equal(await isListed(answer), listed, `${path} ${role}`);
        }
      }
    });
  }

  it("contain the time of a page, and sort posts of one day by it", async () => {
    const feed: unknown = await (await site.fetch("/feed.json")).json();
    const items: { title: string; date_published: string }[] = Object(feed)["items"];
    assert.deepEqual(
      items.map(({ title, date_published: at }) => [title, at]),
      [
        ["Evening", "2026-05-01T18:00:00.000Z"],
        ["Morning", "2026-05-01T06:30:00.000Z"],
        ["All day", "2026-04-30T22:00:00.000Z"],
      ],
    );
    const list: unknown = await (await site.fetch("/api/pages?template=post")).json();
    const dates: { title: string; date: string }[] = Object(list)["items"];
    assert.deepEqual(
      dates.map(({ title }) => title),
      ["Evening", "Morning", "All day"],
    );
    assert.ok(dates.every(({ date }) => date === "2026-05-01"));
  });

  it("contain pages of one language, with fallback=1 also marked fallback pages", async () => {
    const titles = async (path: string) => {
      const feed: unknown = await (await site.fetch(path)).json();
      const items: { title: string; language?: string; url: string }[] = Object(feed)["items"];
      return items.map(({ title, language, url }) => [title, language, new URL(url).pathname]);
    };
    assert.deepEqual(await titles("/de/feed.json"), [["Deutsch", undefined, "/de/blog/e"]]);
    assert.deepEqual((await titles("/de/feed.json?fallback=1"))[0], [
      "Evening",
      "en",
      "/de/blog/b",
    ]);
    assert.deepEqual(await titles("/feed.json?lang=de"), [["Deutsch", undefined, "/de/blog/e"]]);
    const atom = await (await site.fetch("/de/atom.xml?fallback=1")).text();
    assert.equal(atom.match(/<entry xml:lang="en">/g)?.length, 3);
    assert.equal(atom.match(/<entry>/g)?.length, 1);
    const sitemap = await (await site.fetch("/sitemap.xml?lang=de")).text();
    assert.deepEqual(sitemap.match(/<loc>[^<]*/g), ["<loc>https://example.org/de/blog/e"]);
  });
});
