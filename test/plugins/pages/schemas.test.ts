import assert from "node:assert/strict";
import { blogFiles } from "../../support/content/blog-files.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const targets: readonly (readonly [path: string, route: string])[] = [
  ["/api/pages", "/api/pages"],
  ["/api/pages?limit=0", "/api/pages"],
  ["/api/pages/", "/api/pages/"],
  ["/api/pages/blog/post-1", "/api/pages/*route"],
  ["/api/pages/blog/children", "/api/pages/*route/children"],
  ["/api/pages/blog/post-1/media", "/api/pages/*route/media"],
  ["/api/pages/none", "/api/pages/*route"],
  ["/api/pages/members", "/api/pages/*route"],
  ["/api/collections?source=@page.children:/blog&limit=2", "/api/collections"],
  ["/api/collections?source=@page.children:/none", "/api/collections"],
  ["/api/collections?source=x", "/api/collections"],
  ["/api/taxonomy", "/api/taxonomy"],
  ["/api/taxonomy/tag", "/api/taxonomy/:name"],
  ["/api/taxonomy/none", "/api/taxonomy/:name"],
  ["/api/taxonomy/tag/all", "/api/taxonomy/:name/:value"],
  ["/api/pages/blog/post-1/related", "/api/pages/*route/related"],
  ["/api/pages?fields=title&include=image&cursor=", "/api/pages"],
  ["/api/nav", "/api/nav"],
  ["/api/nav?tree=true", "/api/nav"],
  ["/api/config/site", "/api/config/site"],
  ["/_site/schema/config", "/_site/schema/config"],
  ["/api/changes", "/api/changes"],
  ["/api/changes?since=x", "/api/changes"],
];

describe("the declared responses of the read API", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({ files: blogFiles, plugins: ["pages"] });
  });
  after(() => site.close());

  for (const [path, route] of targets) {
    it(`match ${path}`, async () => {
      const declared = site.site.context("pages").http.routes.find((one) => one.path === route);
      const res = await site.fetch(path);
      const schema = declared?.responses?.[res.status];
      assert.ok(schema, `${route} declares ${res.status}`);
      const problem = schema.safeParse(await res.json()).error;
      assert.equal(problem, undefined);
    });
  }

  it("cover every route with declared responses", () => {
    const covered = new Set(targets.map(([, route]) => route));
    const routes = site.site
      .context("pages")
      .http.routes.filter(({ plugin, responses }) => plugin === "pages" && responses);
    assert.deepEqual(
      routes.map(({ path }) => path).filter((path) => !covered.has(path)),
      [],
    );
  });
});
