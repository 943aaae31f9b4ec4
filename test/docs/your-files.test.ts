/** Runs the tables of the page "What the server makes of your files". */
import assert from "node:assert/strict";
import type { ContentProblem } from "../../plugins/content/contract.js";
import { bootSite, type TestSite } from "../support/sites/boot-site.js";
import { textOf } from "../support/repository.js";

const PAGE = "content/03.write/15.your-files/docs.md";
const PLUGINS = ["content", "check", "pages", "render", "feeds", "media", "markdown", "search"];

/** The cells of the table below a heading, without its first two lines; code without its marks. */
function rowsBelow(heading: string): string[][] {
  const section = textOf(PAGE).split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const lines = section.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function code(cell = ""): string {
  return cell.replace(/^`|`$/g, "").replaceAll("⏎", "\n");
}

/** What is reported of any page of these sites, whatever its name and fields are. */
const USUAL = ["ERR_CHECK_UNTRANSLATED", "ERR_CHECK_ORPHAN", "ERR_CHECK_LOGIN"];

function idOf({ sourcePath, code: found, message }: ContentProblem): string {
  return `${sourcePath} ${found} ${message}`;
}

/** The codes that are reported below a folder. */
async function reportedBelow({ site }: TestSite, folder: string): Promise<string> {
  const context = site.context("check");
  const problems = await context.use("check").problems();
  // What is not a check is in log, health and dashboard too.
  const inHealth = new Set(context.use("content").problems().map(idOf));
  for (const problem of problems) {
    if (problem.code.startsWith("ERR_CONTENT_")) assert.ok(inHealth.has(idOf(problem)));
  }
  const codes = problems
    .filter(({ sourcePath }) => sourcePath === folder || sourcePath.startsWith(`${folder}/`))
    .map((problem) => String(problem.code))
    .filter((found) => !USUAL.includes(found));
  return [...new Set(codes)].join(", ") || "no";
}

describe("the table of file names", () => {
  const rows = rowsBelow("Names of files");
  let site: TestSite;

  before(async () => {
    const files = Object.fromEntries(
      rows.flatMap(([names = ""], at) =>
        names.split(", ").map((name) => [`content/f${at}/${code(name)}`, `# ${name}\n`]),
      ),
    );
    site = await bootSite({
      files: {
        ...files,
        "content/index.md": "# Home\n",
        "system.yaml": "languages: { supported: [en, pt-BR], default: en }\n",
      },
      plugins: PLUGINS,
    });
  });
  after(() => site.close());

  it("has rows", () => assert.ok(rows.length > 59));

  for (const [at, [names = "", address = "", status = "", reported = ""]] of rows.entries()) {
    it(`holds for ${names} at ${address}`, async () => {
      const path = code(address).replace(/^(\/pt-BR)?\/f/, `$1/f${at}`);
      assert.equal((await site.fetch(path)).status, Number(status));
      assert.equal(await reportedBelow(site, `f${at}`), code(reported));
    });
  }
});

describe("the table of front matter", () => {
  const rows = rowsBelow("Front matter");
  let site: TestSite;

  before(async () => {
    const pages = rows.map(([text], at) => [`content/p${at}/index.md`, code(text)]);
    const files = { "content/index.md": "# Home\n", ...Object.fromEntries(pages) };
    site = await bootSite({ files, plugins: PLUGINS });
  });
  after(() => site.close());

  it("has rows", () => assert.ok(rows.length > 109));

  for (const [at, [text = "", isPublic = "", reported = ""]] of rows.entries()) {
    it(`holds for ${text}`, async () => {
      assert.equal((await site.fetch(`/p${at}`)).status, isPublic === "yes" ? 200 : 404);
      assert.equal(await reportedBelow(site, `p${at}`), code(reported));
    });
  }

  it("leaves unlisted pages out of lists and the sitemap", async () => {
    const at = rows.findIndex(([text = ""]) => text.includes("unlisted: true"));
    const list = await (await site.fetch("/api/pages?limit=100")).text();
    const sitemap = await (await site.fetch("/sitemap.xml")).text();
    assert.ok(!list.includes(`"/p${at}"`) && !sitemap.includes(`/p${at}<`));
    assert.ok(list.includes('"/p0"') && sitemap.includes("/p0<"));
  });
});

describe("the table of the sitemap and search", () => {
  const rows = rowsBelow("In the sitemap and in search");
  let site: TestSite;
  let sitemap: string;
  let found: string;

  before(async () => {
    const pages = rows.map(([text], at) => [`content/p${at}/index.md`, `${code(text)} zebra\n`]);
    const files = { "content/index.md": "# Home\n", ...Object.fromEntries(pages) };
    site = await bootSite({ files, plugins: PLUGINS });
    sitemap = await (await site.fetch("/sitemap.xml")).text();
    found = await (await site.fetch("/api/search?q=zebra&limit=100")).text();
  });
  after(() => site.close());

  it("has rows", () => assert.ok(rows.length > 15));

  for (const [at, [text = "", inSitemap = "", inSearch = ""]] of rows.entries()) {
    it(`holds for ${text}`, async () => {
      assert.equal((await site.fetch(`/p${at}`)).status, 200);
      assert.equal(sitemap.includes(`/p${at}<`) ? "yes" : "no", inSitemap);
      assert.equal(found.includes(`"/p${at}"`) ? "yes" : "no", inSearch);
    });
  }
});

describe("the table of dates", () => {
  const rows = rowsBelow("Dates");
  const dates = new Map<string, string>();
  let site: TestSite;

  before(async () => {
    const pages = rows.map(([date], at) => [
      `content/d${at}/index.md`,
      `---\ntitle: D\ndate: ${code(date)}\n---\nx\n`,
    ]);
    const files = {
      "content/index.md": "# Home\n",
      "system.yaml": "timezone: Europe/Berlin\n",
      "site.yaml": "title: T\nfeed: { items: 100 }\n",
      ...Object.fromEntries(pages),
    };
    site = await bootSite({ files, plugins: PLUGINS });
    const feed = (await (await site.fetch("/feed.json")).json()) as {
      items: { url: string; date_published: string }[];
    };
    for (const { url, date_published: date } of feed.items)
      dates.set(new URL(url, site.url).pathname, date.replace(".000", ""));
  });
  after(() => site.close());

  it("has rows", () => assert.ok(rows.length > 15));

  for (const [at, [date = "", moment = "", reported = ""]] of rows.entries()) {
    it(`holds for ${date}`, async () => {
      assert.equal(dates.get(`/d${at}`) ?? "none", code(moment));
      assert.equal(await reportedBelow(site, `d${at}`), code(reported));
    });
  }
});
