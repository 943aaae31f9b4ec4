import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";

const PAGE = "content/01.home/default.md";
const STEP = ".dune/admin/steps/1";
const FORMER = "---\ntitle: Former\n---\n";
const WRITTEN = "---\ntitle: Written\n---\n";
const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A step that a killed process left: it has written the page. */
const files = (page: string): Record<string, string> => ({
  [PAGE]: page,
  [`${STEP}/0`]: FORMER,
  [`${STEP}/journal.json`]: JSON.stringify({
    format: 1,
    name: "batch",
    recovery: "undo",
    isLast: false,
    moves: [],
    files: [
      {
        path: PAGE,
        isFresh: false,
        before: { hash: digest(FORMER), copy: "0" },
        after: [digest(WRITTEN)],
      },
      { path: "content/02.next/default.md", isFresh: false, before: null, after: [digest("x")] },
    ],
    folders: [],
  }),
});

describe("a step that a killed process left", () => {
  const sites: TestSite[] = [];
  afterEach(async () => {
    for (const site of sites.splice(0)) await site.close();
  });
  async function boot(options: Parameters<typeof bootSite>[0]): Promise<TestSite> {
    const site = await bootSite({ plugins: ["pages", "health"], ...options });
    sites.push(site);
    return site;
  }
  const stepProblems = (site: TestSite) =>
    site.site
      .use("content")
      .problems()
      .filter(({ code }) => code === "ERR_CONTENT_STEP");
  const health = (site: TestSite): string =>
    site.site
      .use("health")
      .problems()
      .map(({ problem }) => problem)
      .join("; ");

  it("is undone before the site reads its content", async () => {
    const site = await boot({ files: files(WRITTEN) });
    assert.equal(await readFile(join(site.root, PAGE), "utf8"), FORMER);
    const page = await (await site.fetch("/api/pages/")).json();
    assert.equal(Object(page).title ?? Object(page).items?.[0]?.title, "Former");
    assert.deepEqual([stepProblems(site), health(site)], [[], ""]);
  });

  it("is a problem ERR_CONTENT_STEP, and one of health, when its file has changed since", async () => {
    const edited = "---\ntitle: Edited\n---\n";
    const site = await boot({ files: files(edited) });
    assert.equal(await readFile(join(site.root, PAGE), "utf8"), edited);
    const [problem, ...others] = stepProblems(site);
    assert.deepEqual([problem?.sourcePath, problem?.severity, others], [PAGE, "error", []]);
    assert.match(problem?.message ?? "", /"batch" .* cannot be undone/);
    assert.ok(problem?.fix?.includes(`former versions in ${STEP}, then delete that folder`));
    assert.match(health(site), /1 interrupted change .* ERR_CONTENT_STEP/);
    await rm(join(site.root, STEP), { recursive: true });
    assert.deepEqual([stepProblems(site), health(site)], [[], ""]);
  });
});
