import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../support/sites/boot-site.js";

const page = (title: string, more = ""): string =>
  `---\ntitle: ${title}\ndate: 2026-01-01\ntaxonomy: { tag: tea }\n${more}---\nAbout tea.\n`;

const files = {
  "site.yaml": [
    "title: T",
    "url: https://example.org",
    "redirects:",
    "  /configured: /shown",
    "  /vanished: /shown/below?a=1#b",
    "  /nowhere: /none",
    "",
  ].join("\n"),
  "content/01.home/default.md": page("Home"),
  "content/02.shown/default.md": page("Shown"),
  "content/02.shown/01.below/default.md": page("Below"),
  "content/03.matter/default.md": page("Matter", "redirect: /shown\n"),
  "content/03.matter/01.kept/default.md": page("Kept"),
  "content/04.configured/default.md": page("Configured"),
  "content/05.away/default.md": page("Away", "redirect: https://elsewhere.example/x\n"),
  "content/06.own/default.md": page("Own", "redirect: https://example.org/shown\n"),
  "content/07.chain/default.md": page("Chain", "redirect: /matter\n"),
};
const SHOWN = ["Below", "Home", "Kept", "Shown"];
const HIDDEN = ["Matter", "Configured", "Away", "Own", "Chain"];

describe("redirected pages", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({ files, plugins: ["pages", "search", "feeds", "render"] });
  });
  after(() => site.close());

  const LISTS = [
    ["/api/pages", SHOWN],
    ["/api/nav", SHOWN],
    ["/api/collections", ["Shown"]],
    ["/api/collections?source=@page.descendants:/", ["Below", "Kept", "Shown"]],
    ["/api/pages//children", ["Shown"]],
    ["/api/taxonomy/tag/tea", SHOWN],
    ["/api/search?q=tea", SHOWN],
  ] as const;
  for (const [path, titles] of LISTS) {
    it(`are not in ${path}`, async () => {
      const answer = await site.fetch(path);
      const { items } = (await answer.json()) as { items: { title: string }[] };
      assert.deepEqual(items.map(({ title }) => title).toSorted(), titles);
    });
  }
  it("are not in counts, suggestions, feeds or the sitemap", async () => {
    const counts = await (await site.fetch("/api/taxonomy")).text();
    assert.equal(JSON.parse(counts).tag.tea, SHOWN.length);
    for (const path of ["/feed.xml", "/atom.xml", "/feed.json", "/sitemap.xml"]) {
      const text = await (await site.fetch(path)).text();
      for (const title of HIDDEN) {
        assert.equal(text.includes(title), false, `${path} ${title}`);
        assert.equal(text.includes(`/${title.toLowerCase()}<`), false, `${path} ${title}`);
      }
      assert.match(text, /\/shown/);
    }
    const suggest = await (await site.fetch("/api/search/suggest?q=aw")).text();
    assert.deepEqual(JSON.parse(suggest), { suggestions: [] });
  });

  const TARGETS = [
    ["/api/pages/matter", "/api/pages/shown"],
    ["/api/pages/matter/children", "/api/pages/shown/children"],
    ["/api/pages/matter/media", "/api/pages/shown/media"],
    ["/api/pages/configured", "/api/pages/shown"],
    ["/api/pages/vanished", "/api/pages/shown/below"],
    ["/api/pages/own", "/api/pages/shown"],
    ["/api/pages/chain", "/api/pages/shown"],
  ] as const;
  for (const [path, location] of TARGETS) {
    it(`${path} responds 301 to ${location}`, async () => {
      const answer = await site.fetch(path, { redirect: "manual" });
      assert.equal(answer.status, 301);
      assert.equal(answer.headers.get("location"), location);
      assert.equal((await site.fetch(location)).status, 200);
    });
  }
  for (const [path, redirect] of [
    ["/api/pages/away", "https://elsewhere.example/x"],
    ["/api/pages/nowhere", "/none"],
  ] as const) {
    it(`${path} responds 404 with the redirect to another site`, async () => {
      const answer = await site.fetch(path, { redirect: "manual" });
      assert.equal(answer.status, 404);
      assert.deepEqual(await answer.json(), { error: "Not found", redirect });
    });
  }
});
