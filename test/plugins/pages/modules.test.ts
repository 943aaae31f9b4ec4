import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { modularFiles } from "../../support/content/modular-files.js";
import { until } from "../../support/until.js";

interface Item {
  title: string;
  template: string;
  html: string;
  frontmatter: Record<string, unknown>;
}

/** Visitors name their roles in a header. */
const members = definePlugin({
  name: "members",
  version: "1.0.0",
  setup(site) {
    site.http.use("identity", (req, _res, next) => {
      const roles = req.headers["x-roles"];
      if (typeof roles === "string")
        req.ctx.state.viewer = { roles: roles.split(","), seesUnpublished: false };
      next();
    });
  },
});

describe("modules in the read API", () => {
  let site: TestSite;
  const clock = { now: () => time };
  let time = 0;
  beforeEach(() => void (time = Date.parse("2026-11-20T12:00:00Z")));
  before(async () => {
    const typography = { orphan_protection: false };
    const settings = { system: { typography, server: { rate_limit: false as const } } };
    const plugins = ["pages", "security", "cache", "markdown", "content"];
    site = await bootSite({
      files: modularFiles,
      plugins,
      extraPlugins: [members],
      settings,
      clock,
    });
  });
  after(() => site.close());
  const get = async <T>(path: string, roles?: string): Promise<T> => {
    const answer = await site.fetch(
      path,
      roles === undefined ? {} : { headers: { "x-roles": roles } },
    );
    assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`);
    return (await answer.json()) as T;
  };
  const modulesOf = async (path: string, roles?: string): Promise<string[]> => {
    const { modules } = await get<{ modules: Item[] }>(`${path}?include=modules`, roles);
    return modules.map(({ html }) => html.replace(/<[^>]*>/g, "").trim());
  };

  it("include=modules adds the modules of a page, in tree order, with HTML and front matter", async () => {
    const { modules } = await get<{ modules: Item[] }>("/api/pages/?include=modules");
    assert.deepEqual(
      modules.map(({ title, template }) => [title, template]),
      [
        ["Sail with us", "hero"],
        ["Prices", "timetable"],
      ],
    );
    assert.equal(modules[0]?.html, "<p>Salty <strong>wind</strong>.</p>");
    assert.deepEqual(modules[0]?.frontmatter["actions"], [{ label: "Book", url: "/book" }]);
  });

  it("does not add them unasked, and responds 400 to an unknown name with the nearest one", async () => {
    assert.equal("modules" in (await get<object>("/api/pages/")), false);
    const answer = await site.fetch("/api/pages/?include=module");
    assert.equal(answer.status, 400);
    assert.match(await answer.text(), /\\"module\\", did you mean modules\?/);
  });

  it("items of collections of modules have HTML", async () => {
    const { items } = await get<{ items: Item[] }>(
      "/api/collections?source=@self.modules&order=order&dir=asc",
    );
    assert.deepEqual(
      items.map(({ html }) => html.includes("Forty") || html.includes("Salty")),
      [true, true],
    );
    const book = await get<{ items: Item[] }>(
      "/api/collections?source=@page.modules:/book&order=title",
    );
    assert.deepEqual(
      book.items.map(({ title }) => title),
      ["Beta", "Alpha"],
    );
    const pages = await get<{ items: Item[] }>("/api/collections?source=@self.children");
    assert.equal(
      pages.items.some((item) => "html" in item),
      false,
    );
  });

  it("modules have the visibility of their page and their own", async () => {
    assert.deepEqual((await modulesOf("/api/pages/", "member")).length, 3);
    assert.deepEqual((await modulesOf("/api/pages/")).length, 2);
    assert.equal((await site.fetch("/api/pages/club?include=modules")).status, 401);
    assert.equal((await site.fetch("/api/collections?source=@page.modules:/club")).status, 404);
    assert.deepEqual(await modulesOf("/api/pages/club", "member"), ["Clubrules apply."]);
    assert.deepEqual((await modulesOf("/api/pages/club", "member,board")).length, 2);
  });

  it("does not cache what a member sees for others", async () => {
    const path = "/api/collections?source=@self.modules&order=order&dir=asc";
    const member = await site.fetch(path, { headers: { "x-roles": "member" } });
    assert.match(await member.text(), /Membersonly/);
    assert.match(member.headers.get("cache-control") ?? "", /private|no-store/);
    assert.doesNotMatch(await (await site.fetch(path)).text(), /Membersonly/);
  });

  it("shows a scheduled module from its date on", async () => {
    assert.equal((await modulesOf("/api/pages/")).includes("Scheduled text."), false);
    time = Date.parse("2026-12-02T12:00:00Z");
    assert.equal((await modulesOf("/api/pages/")).includes("Scheduled text."), true);
  });

  it("a changed module changes the response about its page and its validator", async () => {
    const tag = async () => (await site.fetch("/api/pages/?include=modules")).headers.get("etag");
    const before = await tag();
    assert.equal(await tag(), before);
    await site.write("content/01.home/02._prices/timetable.md", "Fifty per hour.\n");
    await until(async () => (await modulesOf("/api/pages/")).includes("Fifty per hour."));
    assert.notEqual(await tag(), before);
  });
});
