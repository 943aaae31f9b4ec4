import assert from "node:assert/strict";
import { commonMatter, parseDate } from "../../../plugins/import/sources/files/front-matter.js";
import { bootEmpty, contentOf, runImport } from "../../support/sites/import-site.js";

const NEW_YORK = { now: Date.parse("2026-11-28T12:00:00Z"), timezone: "America/New_York" };

describe("dates in the files of other systems", () => {
  for (const [written, expected] of [
    ["2026-03-03", "2026-03-03"],
    ["2026-03-03 00:00", "2026-03-03"],
    ["2026-03-03 22:52", "2026-03-03 22:52"],
    ["2026-03-03T00:00:00-08:00", "2026-03-03T00:00-08:00"],
    ["2026-03-03 22:52 PST", "2026-03-03T22:52-08:00"],
    ["2026-03-03 22:52 -08", "2026-03-03T22:52-08:00"],
    ["2026-03-03 22:52:00 +0530", "2026-03-03T22:52+05:30"],
    ["2026-03-03T22:52:31Z", "2026-03-03T22:52:31Z"],
    ["2026/03/03", "2026-03-03"],
    ["2026-3-3 9:05", "2026-03-03 09:05"],
    ["Tue, 03 Mar 2026 22:52:00 -0800", "2026-03-03T22:52-08:00"],
    ["2026-02-30", null],
    ["soon", null],
    [20260303, null],
  ] as const) {
    it(`reads ${JSON.stringify(written)} as ${JSON.stringify(expected)}`, () => {
      assert.equal(parseDate(written), expected);
    });
  }
});

describe("front matter that decides who sees a page", () => {
  for (const [written, isScheduled] of [
    ["2026-11-28 10:00", true],
    ["2026-11-28 06:59", false],
    ["2026-11-28T10:00:00Z", false],
    ["2026/11/29", true],
    ["Sat, 28 Nov 2026 10:00:00 -0500", true],
  ] as const) {
    const title = isScheduled ? "schedules" : "publishes";
    it(`${title} a page of ${written} in the time zone of the site`, () => {
      const { frontmatter } = commonMatter({ publishDate: written }, NEW_YORK);
      assert.equal(frontmatter["publish_date"] !== null, isScheduled);
      assert.equal(frontmatter["status"], null);
    });
  }

  for (const [data, expected] of [
    [{ publishDate: "next week" }, { status: "draft" }],
    [{ expiryDate: "next week" }, { status: "draft" }],
    [{ published_at: "2027-01-01" }, { publish_date: "2027-01-01" }],
    [{ status: "draft" }, { status: "draft" }],
    [{ status: "In Review" }, { status: "in_review" }],
    [{ status: "private" }, { status: "draft" }],
    [{ status: "published" }, {}],
    [{ Draft: true }, { status: "draft" }],
    [{ draft: false, DRAFT: true }, { status: "draft" }],
    [{ draft: "true " }, { status: "draft" }],
    [{ Published: "no" }, { published: false }],
    [
      { unlisted: true, Hidden: true },
      { unlisted: true, hidden: true },
    ],
    [{ build: { render: "never" } }, { build: { render: "never" } }],
    [{ _build: { list: "never" } }, { _build: { list: "never" } }],
    [{ private: true }, { private: true }],
    [{ permalink: false }, { permalink: false }],
    [{ permalink: "/x/" }, {}],
  ] as const) {
    it(`keeps ${JSON.stringify(data)} at the top level`, () => {
      const { frontmatter } = commonMatter(data, NEW_YORK);
      const { metadata: _m, taxonomy: _t, custom, ...rest } = frontmatter;
      const given = Object.entries(rest).filter(
        ([, value]) => value !== null && value !== undefined,
      );
      assert.deepEqual([Object.fromEntries(given), custom], [expected, {}]);
    });
  }

  it("reports what it cannot read", async () => {
    const site = await bootEmpty({
      "old/content/date.md": "---\ntitle: D\npublishDate: next week\n---\nText\n",
      "old/content/status.md": "---\ntitle: S\nstatus: private\n---\nText\n",
      "old/content/never.md": "---\ntitle: N\nbuild: { render: never }\n---\nText\n",
    });
    try {
      const { json } = await runImport(site, ["hugo", "old"], { json: true });
      const report = JSON.stringify(json);
      assert.match(report, /publishDate is \\"next week\\"/);
      assert.match(report, /status is \\"private\\"/);
      assert.match(await contentOf(site, "date/default.md"), /^status: draft$/m);
      assert.match(await contentOf(site, "never/default.md"), /^build:\n {2}render: never$/m);
      assert.equal((await site.fetch("/never")).status, 404);
      assert.equal((await site.fetch("/date")).status, 404);
    } finally {
      await site.close();
    }
  });

  it("reads the configuration of Hugo as it reads front matter, and leaves links to sources", async () => {
    const site = await bootEmpty({
      "old/hugo.toml": 'baseURL = "https://old.example/"\ncontentDir = 1.10\n',
      "old/1.10/one.md": "---\ntitle: One\n---\n[code](https://old.example/code.ts)\n",
    });
    try {
      const { json } = await runImport(site, ["hugo", "old"], { json: true });
      assert.match(JSON.stringify(json), /"failures":\[\]/);
      assert.match(await contentOf(site, "one/default.md"), /\(https:\/\/old\.example\/code\.ts\)/);
    } finally {
      await site.close();
    }
  });

  it("keeps the clock of a Notion export, in every time zone of the machine", async () => {
    const site = await bootEmpty({
      "old/One.md": "# One\n\nDate: May 1, 2020 8:30 AM\n\nText\n",
      "old/Two.md": "# Two\n\nCreated: May 1, 2020\n\nText\n",
    });
    try {
      await runImport(site, ["notion", "old"]);
      assert.match(await contentOf(site, "one/default.md"), /^date: 2020-05-01 08:30$/m);
      assert.match(await contentOf(site, "two/default.md"), /^date: 2020-05-01$/m);
    } finally {
      await site.close();
    }
  });
});
