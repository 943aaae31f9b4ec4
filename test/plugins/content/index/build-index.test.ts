import assert from "node:assert/strict";
import fc from "fast-check";
import { runAtOnce } from "#lib/concurrency";
import { updateIndex, replaceRecords } from "../../../../plugins/content/index/update-index.js";
import type { ContentIndex } from "../../../../plugins/content/index/content-index.js";
import {
  contentRules,
  indexOf,
  recordsOf,
  type Sources,
} from "../../../support/content/content-tree.js";

function routes(index: ContentIndex): Record<string, string> {
  return Object.fromEntries(
    index.entries
      .filter(({ routable }) => routable)
      .map(({ sourcePath, url }) => [sourcePath, url]),
  );
}
function entry(sources: Sources, path = Object.keys(sources)[0] ?? "") {
  const found = indexOf(sources).bySource.get(path);
  assert.ok(found, `${path} is not indexed`);
  return found;
}

describe("buildIndex: names and routes", () => {
  it("strips the order from the route and nests folders", () => {
    const index = indexOf({
      "01.home/default.md": "",
      "02.blog/blog.md": "",
      "02.blog/01.first/post.md": "",
      "02.blog/05.flat.md": "",
      "docs/deep/er/default.md": "",
    });
    assert.deepEqual(routes(index), {
      "01.home/default.md": "/",
      "02.blog/blog.md": "/blog",
      "02.blog/01.first/post.md": "/blog/first",
      "02.blog/05.flat.md": "/blog/flat",
      "docs/deep/er/default.md": "/docs/deep/er",
    });
    const places = index.entries.map(({ parent, depth, order }) => [parent, depth, order]);
    assert.deepEqual(places, [
      [null, 0, 1],
      [null, 0, 2],
      ["/blog", 1, 1],
      ["/blog", 1, 5],
      [index.bySource.get("docs/deep/er/default.md")?.parent, 2, 0],
    ]);
  });

  it("uses default, index and template stems as folder pages, and any other stem as a flat page", () => {
    const index = indexOf({
      "home/default.md": "",
      "a/index.md": "",
      "b/post.md": "",
      "c/other.md": "",
      "articles/first.md": "",
      "articles/02.second.md": "",
      "03.numbered/anything.md": "",
    });
    assert.deepEqual(routes(index), {
      "home/default.md": "/",
      "a/index.md": "/a",
      "b/post.md": "/b",
      "c/other.md": "/c/other",
      "articles/first.md": "/articles/first",
      "articles/02.second.md": "/articles/second",
      "03.numbered/anything.md": "/numbered",
    });
    assert.equal(index.bySource.get("b/post.md")?.template, "post");
    assert.equal(index.bySource.get("a/index.md")?.template, "default");
    assert.equal(index.bySource.get("articles/first.md")?.template, "default");
    assert.equal(index.bySource.get("03.numbered/anything.md")?.template, "anything");
    assert.equal(index.bySource.get("articles/02.second.md")?.order, 2);
  });

  it("keeps flat pages beside the folder's own page in a numbered folder", () => {
    const index = indexOf({ "home/default.md": "", "01.blog/blog.md": "", "01.blog/note.md": "" });
    assert.equal(index.bySource.get("01.blog/note.md")?.route, "/blog/note");
  });

  it("shows ordered pages in the navigation, others only with visible: true", () => {
    assert.equal(entry({ "01.a/default.md": "" }).visible, true);
    assert.equal(entry({ "a/default.md": "" }).visible, false);
    assert.equal(entry({ "a/default.md": "---\nvisible: true\n---\n" }).visible, true);
    assert.equal(entry({ "01.a/default.md": "---\nvisible: false\n---\n" }).visible, false);
  });

  it("gives modules and drafts no route, and hides drafts completely", () => {
    const index = indexOf({
      "01.home/default.md": "",
      "01.home/_hero/hero.md": "# Hero",
      "01.home/_hero/below/item.md": "",
      "_drafts/idea/default.md": "",
      "_drafts/note.md": "",
    });
    const hero = index.bySource.get("01.home/_hero/hero.md");
    assert.deepEqual([hero?.isModule, hero?.routable, hero?.parent], [true, false, "/"]);
    for (const path of ["01.home/_hero/below/item.md", "_drafts/idea/default.md"])
      assert.equal(index.bySource.get(path)?.routable, false, path);
    assert.equal(index.bySource.get("_drafts/note.md")?.published, false);
  });

  it("replaces the last segment by slug, for the pages below too", () => {
    const index = indexOf({
      "home/default.md": "",
      "01.blog/blog.md": "---\nslug: news\n---\n",
      "01.blog/a/post.md": "",
      "01.blog/x/post.md": "---\nslug: a/b\n---\n",
    });
    assert.equal(index.bySource.get("01.blog/a/post.md")?.route, "/news/a");
    assert.equal(index.bySource.get("01.blog/x/post.md")?.route, "/news/x");
    assert.equal(index.problems[0]?.code, "ERR_CONTENT_FIELD");
  });

  it("reports the second file for a route and leaves it without one", () => {
    const index = indexOf({ "home/default.md": "", "01.a/default.md": "", "a/default.md": "" });
    assert.equal(index.at("/a", "en")?.sourcePath, "01.a/default.md");
    assert.equal(index.bySource.get("a/default.md")?.routable, false);
    assert.deepEqual(
      index.problems.map(({ code, sourcePath }) => [code, sourcePath]),
      [["ERR_CONTENT_DUPLICATE_ROUTE", "a/default.md"]],
    );
  });

  it("gives each language its prefix and slug", () => {
    const index = indexOf(
      {
        "01.home/default.md": "",
        "01.home/default.de.md": "",
        "02.about/default.md": "",
        "02.about/default.de.md": "---\nslug: über-uns\n---\n",
        "02.about/team/default.de.md": "",
      },
      { languages: ["en", "de"] },
    );
    assert.deepEqual(
      index.entries.map(({ url, lang }) => [lang, url]),
      [
        ["de", "/de"],
        ["en", "/"],
        ["de", "/de/%C3%BCber-uns"],
        ["en", "/about"],
        ["de", "/de/%C3%BCber-uns/team"],
      ],
    );
    const about = index.bySource.get("02.about/default.md");
    assert.equal(about && index.translations(about).length, 2);
  });

  it("encodes URLs in composed form, so that names from any system have the same address", () => {
    const index = indexOf({ "home/default.md": "", "a b/100%/#1/u\u0308.md": "" });
    const found = index.bySource.get("a b/100%/#1/u\u0308.md");
    assert.equal(found?.route, "/a b/100%/#1/\u00fc");
    assert.equal(found.url, "/a%20b/100%25/%231/%C3%BC");
  });

  it("indexes pages with strange dates and sorts them stably", () => {
    const dates = [
      "2024-13-45",
      "2024-1-1",
      "1700000000",
      "[a]",
      "2024-02-30",
      "2024-03-01T10:00:00Z",
    ];
    const sources = Object.fromEntries(
      dates.map((date, at) => [`p${at}.md`, `---\ndate: ${date}\n---\n`]),
    );
    const index = indexOf(sources);
    assert.deepEqual(
      index.entries.map(({ date }) => date),
      [null, "2024-01-01", null, null, null, "2024-03-01"],
    );
    assert.deepEqual(
      index.orders.get("date", "desc").map(({ sourcePath }) => sourcePath),
      ["p5.md", "p1.md", "p0.md", "p2.md", "p3.md", "p4.md"],
    );
  });

  it("orders the tree depth first, siblings by order, then title", () => {
    const index = indexOf({
      "01.home/default.md": "",
      "03.c/default.md": "",
      "02.b/default.md": "",
      "02.b/z/default.md": "---\ntitle: Alpha\n---\n",
      "02.b/a/default.md": "---\ntitle: beta\n---\n",
      "02.b/01.last/default.md": "---\norder: 9\n---\n",
      "free/default.md": "",
      "same/z.md": "---\ntitle: Same\n---\n",
      "same/a.md": "---\ntitle: same\n---\n",
      "same/10.b.md": "---\ntitle: ten\n---\n",
      "same/2.c.md": "---\ntitle: two\n---\n",
    });
    assert.deepEqual(
      index.entries.map(({ route }) => route),
      "/ /b /b/last /b/z /b/a /c /free /same/c /same/b /same/a /same/z".split(" "),
    );
  });
});

/** What an index answers beside its lists; what is made with the first question is made then. */
function askEverything(index: ContentIndex): unknown {
  for (const by of ["date", "title", "order", "route"] as const) index.orders.get(by, "desc");
  return {
    records: new Map(index.records),
    boundaries: index.boundaries,
    aliases: ["en", "de"].map((lang) => index.alias("/old", lang)),
    pages: index.pages,
    of: index.entries.map((entry) => [
      index.bySource.get(entry.sourcePath),
      index.placed.get(entry.sourcePath),
      index.at(entry.route, entry.lang),
      index.folder(entry.folder),
      index.ownerOf(entry.folder),
      index.translations(entry),
    ]),
  };
}

describe("buildIndex: the next generation", () => {
  const path = fc.constantFrom(
    "01.home/default.md",
    "02.a/default.md",
    "02.a/post.md",
    "02.a/x.md",
    "a/default.md",
    "a/b/default.md",
    "a/b/c.md",
    "_m/m.md",
    "d.md",
    "03.e/01.f/post.md",
    "03.e/g/blog.md",
    "02.a/default.de.md",
    "03.e/default.md",
    "03.e/02.h/default.md",
    "03.e/02.h/x.md",
    "03.e/i.md",
    "02.a/01.k/post.md",
    "a/b/l/default.de.md",
    "home/default.md",
    "n/default.md",
    "p/default.md",
    "q/post.md",
    "README.md",
  );
  const line = fc.constantFrom(
    "",
    "slug: s",
    "order: 1",
    "order: 5",
    "title: Zed",
    "title: Äpfel",
    "date: 2024-01-02",
    "status: draft",
    "roles: member",
    "routable: false",
    "visible: true",
    "taxonomy: {tag: [x]}",
    "publish_date: 2030-01-02",
    "routes: {aliases: [/old]}",
    "bad: [",
  );
  const text = fc
    .tuple(line, line, fc.constantFrom("", "# Heading", "body"))
    .map(([a, b, body]) => `---\n${a}\n${b}\n---\n${body}\n`);
  const step = fc.tuple(path, fc.option(text));
  const rules = { languages: ["en", "de"] };

  /** How many changes were taken over without building, of some with as many files as given. */
  function compare(files: { minLength: number; maxLength: number }): number {
    let taken = 0;
    const batch = fc.uniqueArray(step, { ...files, selector: ([file]) => file });
    fc.assert(
      fc.property(fc.array(batch, { minLength: 1, maxLength: 12 }), (batches) => {
        const sources: Record<string, string> = {};
        let index = indexOf(sources, rules);
        for (const steps of batches) {
          for (const [file, content] of steps) {
            if (content === null) delete sources[file];
            else sources[file] = content;
          }
          askEverything(index);
          const records = recordsOf(sources);
          const change = {
            changed: steps.flatMap(([file]) => records.get(file) ?? []),
            removed: steps.map(([file]) => file).filter((file) => isGone(file, index, records)),
          };
          const quick = runAtOnce(updateIndex(index, change, { ...contentRules, ...rules }));
          if (quick !== null) taken += 1;
          index = quick ?? indexOf(sources, rules, index);
          const fresh = indexOf(sources, rules);
          assert.deepEqual(index.entries, fresh.entries);
          assert.deepEqual(index.problems, fresh.problems);
          for (const by of ["date", "title", "order", "route", "tree"] as const) {
            assert.deepEqual(index.orders.get(by, "desc"), fresh.orders.get(by, "desc"));
          }
          assert.deepEqual(askEverything(index), askEverything(fresh));
        }
      }),
      { numRuns: 400 },
    );
    return taken;
  }

  function isGone(
    file: string,
    index: ContentIndex,
    records: ReturnType<typeof recordsOf>,
  ): boolean {
    return index.records.has(file) && !records.has(file);
  }

  it("is the same whether derived from the previous one or built from scratch", () => {
    const taken = compare({ minLength: 1, maxLength: 1 });
    assert.ok(taken > 200, `${taken} changes were taken over without building`);
  });

  it("is the same after changes of several files at once", () => {
    const taken = compare({ minLength: 2, maxLength: 4 });
    assert.ok(taken > 50, `${taken} changes were taken over without building`);
  });

  it("is not built for a page in a new folder at the top that cannot be home", () => {
    const sources: Record<string, string> = { "01.home/default.md": "", "b/default.md": "" };
    const index = indexOf(sources);
    const records = recordsOf({ "a/default.md": "# A", "c/default.md": "# C", "c/d/post.md": "" });
    const quick = runAtOnce(
      updateIndex(index, { changed: [...records.values()], removed: [] }, contentRules),
    );
    assert.deepEqual(
      quick?.entries.map(({ route }) => route),
      ["/", "/a", "/b", "/c", "/c/d"],
    );
  });

  it("is derived when a page with a problem of its own is deleted", () => {
    const wrong = "---\ndate: never\n---\n";
    const index = indexOf({ "01.home/default.md": "", "b/default.md": "", "c/default.md": wrong });
    assert.equal(index.fileProblems.length, 1);
    const removed = ["c/default.md"];
    const quick = runAtOnce(updateIndex(index, { changed: [], removed }, contentRules));
    assert.deepEqual(
      quick?.entries.map(({ route }) => route),
      ["/", "/b"],
    );
    assert.deepEqual(quick.fileProblems, []);
  });

  for (const file of ["home/default.md", "00.first/default.md"]) {
    it(`is built for ${file}, which may become the home page`, () => {
      const index = indexOf({ "01.home/default.md": "", "b/default.md": "" });
      const changed = [...recordsOf({ [file]: "# New" }).values()];
      assert.equal(runAtOnce(updateIndex(index, { changed, removed: [] }, contentRules)), null);
    });
  }

  it("assigns an alias to the first page after a parent folder has moved", () => {
    const alias = "---\nroutes: {aliases: [/old]}\n---\n";
    const sources = { "02.a/default.md": alias, "b/default.md": "", "b/c/default.md": alias };
    const first = indexOf(sources);
    assert.equal(first.alias("/old", "en")?.sourcePath, "02.a/default.md");
    const moved = recordsOf({ "b/default.md": "---\norder: 1\n---\n" }).get("b/default.md");
    assert.ok(moved);
    const second = runAtOnce(replaceRecords(first, [moved], { timezone: "UTC" }));
    assert.equal(second?.alias("/old", "en")?.sourcePath, "b/c/default.md");
  });

  it("keeps the entries of pages that have not changed", () => {
    const sources = { "01.home/default.md": "", "02.a/default.md": "# A" };
    const first = indexOf(sources);
    const records = new Map(first.records);
    const changed = recordsOf({ "02.a/default.md": "# A\n\nmore" }).get("02.a/default.md");
    assert.ok(changed);
    records.set(changed.sourcePath, changed);
    const second = runAtOnce(replaceRecords(first, [changed], { timezone: "UTC" }));
    assert.ok(second);
    assert.equal(
      second.bySource.get("01.home/default.md"),
      first.bySource.get("01.home/default.md"),
    );
    assert.notEqual(second.bySource.get("02.a/default.md"), first.bySource.get("02.a/default.md"));
    assert.equal(second.id, first.id + 1);
  });
});
