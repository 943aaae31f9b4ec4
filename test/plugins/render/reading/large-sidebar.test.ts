import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { definePlugin } from "#kernel";
import { exportFolder } from "../../../support/processes/export-folder.js";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { until } from "../../../support/until.js";

/** Bytes that a page with a short text may have, whatever the size of its tree. */
const MAX_BYTES = 65_000;
const SITE = "title: Harbour\nurl: https://example.org\ntheme: { preset: docs }\n";
const page = (title: string, more = ""): string => `---\ntitle: ${title}\n${more}---\nText.\n`;

/** Parts of ten groups, of twenty pages each; numbered or not. */
function treeFiles(pages: number, isNumbered: boolean): Record<string, string> {
  const files: Record<string, string> = { "site.yaml": SITE };
  const name = isNumbered ? "docs" : "index";
  const number = (at: number): string => (isNumbered ? `${String(at + 1).padStart(2, "0")}.` : "");
  let count = 0;
  for (let part = 0; count < pages; part += 1) {
    const top = `content/${number(part)}part-${part}`;
    files[`${top}/${name}.md`] = page(`Part ${part}`);
    count += 1;
    for (let group = 0; group < 10 && count < pages; group += 1) {
      const folder = `${top}/${number(group)}group-${group}`;
      files[`${folder}/${name}.md`] = page(`Group ${group} of a title with a few words`);
      count += 1;
      for (let at = 0; at < 20 && count < pages; at += 1, count += 1) {
        const file = isNumbered ? `${number(at)}page-${at}/docs` : `page-${at}`;
        files[`${folder}/${file}.md`] = page(`Page ${at} of a title with a few words`);
      }
    }
  }
  return files;
}

const navOf = (html: string): string => {
  const start = html.indexOf('<nav class="docs-nav"');
  return html.slice(start, html.indexOf("</nav>", start));
};
const linksIn = (html: string): string[] =>
  [...html.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href ?? "");
/** The address of a closed group by its title, or of the entries before or after a list. */
const branchIn = (html: string, text: string): string => {
  const links = [...html.matchAll(/<a [^>]*data-branch="([^"]+)"[^>]*>([^<]*)</g)];
  return links.find(([, , title]) => title === text)?.[1] ?? assert.fail(`no link ${text}`);
};

const read = async (site: TestSite, path: string, init?: RequestInit): Promise<string> => {
  const answer = await site.fetch(path, init);
  assert.equal(answer.status, 200, path);
  return answer.text();
};

describe("the sidebar of a large tree", () => {
  const opened: TestSite[] = [];
  const open = async (
    files: Record<string, string>,
    options: Omit<Parameters<typeof bootSite>[0] & object, "files"> = {},
  ): Promise<TestSite> => {
    const site = await bootSite({ ...options, files });
    opened.push(site);
    return site;
  };
  afterEach(async () => {
    for (const site of opened.splice(0)) await site.close();
  });

  for (const isNumbered of [true, false]) {
    const kind = isNumbered ? "numbered" : "unnumbered";

    it(`adds the same to a page of 2,000 ${kind} pages as of 400, at most 65 KB with the page`, async () => {
      const bytes: number[] = [];
      for (const pages of [400, 2_000]) {
        const site = await open(treeFiles(pages, isNumbered));
        const html = await read(site, "/part-1/group-3/page-7");
        assert.ok(linksIn(navOf(html)).includes("/part-1/group-3/page-8"));
        bytes.push(Buffer.byteLength(html));
      }
      const [few = 0, many = 0] = bytes;
      assert.ok(many <= MAX_BYTES, `${many} bytes`);
      // Eight parts more, each a closed group.
      assert.ok(many - few < 3_000, `${few} and ${many} bytes`);
    });
  }

  it("shows the way to the page, the entries beside it and its children, and closes the rest", async () => {
    const site = await open(treeFiles(700, false));
    const html = navOf(await read(site, "/part-1/group-3"));
    const links = linksIn(html);
    assert.equal(links.filter((link) => /^\/part-\d$/.test(link)).length, 4);
    assert.equal(links.filter((link) => /^\/part-1\/group-\d$/.test(link)).length, 10);
    assert.equal(links.filter((link) => link.startsWith("/part-1/group-3/")).length, 20);
    assert.equal(links.length, 34);
    assert.equal(html.match(/<details open/g)?.length, 2);
    assert.match(html, /<a href="\/part-1\/group-3" aria-current="page">Overview<\/a>/);
  });

  it("has the whole tree up to 200 entries", async () => {
    const { length } = Object.keys(treeFiles(200, false));
    assert.equal(length, 201);
    const whole = navOf(await read(await open(treeFiles(200, false)), "/part-0"));
    assert.equal(linksIn(whole).length, 200);
    assert.doesNotMatch(whole, /data-branch/);
    const cut = navOf(await read(await open(treeFiles(201, false)), "/part-0"));
    assert.match(cut, /data-branch/);
  });

  it("serves a closed group with the markup that it has in pages below it", async () => {
    const site = await open(treeFiles(700, true));
    const closed = navOf(await read(site, "/part-0/group-0/page-1"));
    const part = branchIn(closed, "Part 1");
    const group = branchIn(await read(site, part), "Group 3 of a title with a few words");
    const entries = /<ul>.*<\/ul>/s.exec(await read(site, group))?.[0] ?? "";
    const inPage = navOf(await read(site, "/part-1/group-3/page-7"));
    assert.equal(linksIn(entries).length, 21);
    assert.ok(inPage.replace(' aria-current="page"', "").includes(entries));
  });

  it("leads from a closed group without a page to the first page below it", async () => {
    const files = treeFiles(700, false);
    delete files["content/part-1/index.md"];
    delete files["content/part-1/group-0/index.md"];
    const html = navOf(await read(await open(files), "/part-0"));
    assert.match(html, /<a href="\/part-1\/group-0\/page-0" data-branch="[^"]+">part-1<\/a>/);
  });

  it("goes on to the next page across closed groups", async () => {
    const html = await read(await open(treeFiles(700, true)), "/part-0/group-9/page-19");
    assert.match(html, /rel="prev" href="\/part-0\/group-9\/page-18"/);
    assert.match(html, /rel="next" href="\/part-1"/);
  });

  it("shows the entries around the page of a long list; its parts have all others", async () => {
    const files: Record<string, string> = { "site.yaml": SITE };
    for (let at = 0; at < 950; at += 1) {
      files[`content/calls/call-${String(at).padStart(3, "0")}.md`] = page(`Call ${at}`);
    }
    files["content/more/a.md"] = page("A");
    const site = await open(files);
    const html = await read(site, "/calls/call-500");
    const shown = linksIn(navOf(html)).filter((link) => link.startsWith("/calls/"));
    assert.ok(Buffer.byteLength(html) <= MAX_BYTES);
    assert.ok(shown.includes("/calls/call-500") && shown.length <= 200);
    const seen = new Set(shown);
    for (const side of ["before", "after"]) {
      let from = html;
      for (;;) {
        const next = new RegExp(`data-branch="([^"]+)" data-more="${side}`).exec(from)?.[1];
        if (next === undefined) break;
        from = await read(site, next);
        for (const link of linksIn(from)) seen.add(link);
      }
    }
    assert.equal([...seen].filter((link) => link.startsWith("/calls/")).length, 950);
    const count = /data-more="before \d+">(\d+) more</.exec(html)?.[1];
    const first = shown.filter((link) => !html.includes(`${link}" data-branch`))[0];
    assert.equal(first, `/calls/call-${count}`);
  });

  it("follows sidebar.yaml, with groups of the same name", async () => {
    const files = treeFiles(300, false);
    const routes = Array.from(
      { length: 120 },
      (_, at) => `/part-0/group-${Math.floor(at / 20)}/page-${at % 20}`,
    );
    const group = (of: readonly string[]): string =>
      `- title: { en: More }\n  items: [${of.map((route) => `{ page: ${route} }`).join(", ")}]\n`;
    files["sidebar.yaml"] =
      `${group(routes.slice(1))}${group([...routes].reverse())}- { page: /part-1 }\n`;
    const site = await open(files);
    const html = navOf(await read(site, "/part-1"));
    const [one = "", other = ""] = [...html.matchAll(/data-branch="([^"]+)"/g)].map(([, at]) => at);
    assert.notEqual(one, other);
    assert.match(await read(site, one), /href="\/part-0\/group-0\/page-1"/);
    assert.match(await read(site, other), /<li><a href="\/part-0\/group-5\/page-19">/);
  });

  it("is cut by version and language: a branch has the pages of its own", async () => {
    const files = treeFiles(300, false);
    for (let at = 0; at < 240; at += 1) {
      files[`content/v1/old-${at % 4}/p-${at}.md`] = page(`Old ${at}`);
    }
    files["content/v1/index.md"] = page("Version 1");
    files["content/part-1/group-0/page-0.de.md"] = page("Seite");
    files["site.yaml"] = `${SITE}versions: { '2.x': /, '1.x': /v1 }\n`;
    files["system.yaml"] = "languages: { supported: [en, de], default: en }\n";
    const site = await open(files);
    const old = navOf(await read(site, "/v1"));
    assert.doesNotMatch(old.replace(/<details class="versions">.*?<\/details>/s, ""), /part-/);
    const oldBranch = await read(site, branchIn(old, "old-1"));
    assert.ok(linksIn(oldBranch).every((link) => link.startsWith("/v1/old-1/")));
    const german = navOf(await read(site, "/de/part-0"));
    const part = await read(site, branchIn(german, "Part 1"));
    const group = branchIn(part, "Group 0 of a title with a few words");
    assert.match(await read(site, group), /<a href="\/de\/part-1\/group-0\/page-0">Seite<\/a>/);
    assert.equal((await site.fetch(group.replace("/de/", "/fr/"))).status, 404);
  });

  it("responds 404 to a branch that does not exist", async () => {
    const site = await open(treeFiles(300, false));
    for (const name of ["000000000000.html", "x.html", "..%2fa.html", "000000000000.0.html"]) {
      assert.equal((await site.fetch(`/_site/sidebar/en/${name}`)).status, 404, name);
    }
    const known = branchIn(navOf(await read(site, "/part-0")), "Part 1");
    assert.equal((await site.fetch(known.replace(".html", ".9.html"))).status, 404);
  });

  it("is validated by ETag, and changes with its pages", async () => {
    const site = await open(treeFiles(700, false));
    const address = branchIn(navOf(await read(site, "/part-0")), "Part 1");
    const first = await site.fetch(address);
    const etag = first.headers.get("etag") ?? "";
    assert.doesNotMatch(first.headers.get("cache-control") ?? "", /private|no-store/);
    const again = await site.fetch(address, { headers: { "If-None-Match": etag } });
    assert.equal(again.status, 304);
    await site.write("content/part-1/group-2/index.md", page("Renamed"));
    await until(async () => (await read(site, address)).includes("Renamed"));
  });

  it("shows a new page in all pages of a tree without numbers", async () => {
    const files = { "site.yaml": SITE, "content/a.md": page("A"), "content/b.md": page("B") };
    const site = await open(files);
    for (const path of ["/a", "/b"]) await read(site, path);
    await site.write("content/c.md", page("C"));
    for (const path of ["/a", "/b"]) {
      await until(async () => (await read(site, path)).includes('href="/c"'));
    }
  });

  it("has only what the visitor may see, and is private for members", async () => {
    const files = treeFiles(700, false);
    const hidden = "content/part-1/group-2/page-4.md";
    files[hidden] = page("Members only", "roles: [member]\n");
    files["content/part-1/group-2/page-5.md"] = page("Draft only", "published: false\n");
    const members = definePlugin({
      name: "members",
      version: "1.0.0",
      setup: ({ http }) =>
        http.use("identity", (req, _res, next) => {
          const viewer = { roles: ["member"], seesUnpublished: false };
          if (req.headers["x-member"] !== undefined) Object.assign(req.ctx.state, { viewer });
          next();
        }),
    });
    const site = await open(files, { extraPlugins: [members] });
    const part = branchIn(navOf(await read(site, "/part-0")), "Part 1");
    const group = branchIn(await read(site, part), "Group 2 of a title with a few words");
    const asMember = { headers: { "x-member": "1", cookie: "site_session=x" } };
    const seen = await site.fetch(group, asMember);
    assert.match(await seen.text(), /Members only/);
    assert.match(seen.headers.get("cache-control") ?? "", /private, no-store/);
    assert.doesNotMatch(await read(site, group), /Members only|Draft only/);
  });

  it("has public addresses below a path", async () => {
    const files = treeFiles(300, false);
    files["site.yaml"] = SITE.replace("example.org", "example.org/docs");
    const site = await open(files);
    const address = branchIn(navOf(await read(site, "/docs/part-0")), "Part 1");
    assert.match(address, /^\/docs\/_site\/sidebar\/en\/[0-9a-f]{12}\.html$/);
    assert.match(await read(site, address), /href="\/docs\/part-1"/);
  });

  it("is in a static export as files", async () => {
    const site = await exportFolder({
      ...treeFiles(230, false),
      "content/index.md": page("Home"),
    });
    try {
      const report = await site.export();
      assert.deepEqual([report.failures, report.broken], [[], []]);
      const html = readFileSync(`${site.out}/part-0/group-0/page-0/index.html`, "utf8");
      const file = (address: string): string => readFileSync(`${site.out}${address}`, "utf8");
      const part = file(branchIn(navOf(html), "Part 1"));
      const group = file(branchIn(part, "Group 0 of a title with a few words"));
      assert.match(group, /href="\/part-1\/group-0\/page-1"/);
    } finally {
      await site.close();
    }
  });
});
