import assert from "node:assert/strict";
import { Breadcrumbs } from "../../../../../plugins/render/page/views/page-links.js";
import { indexOf } from "../../../../support/content/content-tree.js";

describe("Breadcrumbs", () => {
  const index = indexOf({
    "01.home/default.md": "---\ntitle: Home\n---\n",
    "02.blog/blog.md": "---\ntitle: All articles\nnav_title: Blog\n---\n",
    "02.blog/page.md": "---\ntitle: Page\n---\n",
  });
  const wayOf = (...routes: string[]) => routes.flatMap((route) => index.at(route, "en") ?? []);
  const href = (route: string): string => route;

  it("contain navigation titles and addresses, and are the same array while the trail is the same", () => {
    const breadcrumbs = new Breadcrumbs();
    const first = breadcrumbs.of(wayOf("/", "/blog", "/blog/page"), href, "en");
    assert.deepEqual(first, [
      { title: "Home", url: "/" },
      { title: "Blog", url: "/blog" },
      { title: "Page", url: "/blog/page" },
    ]);
    assert.equal(breadcrumbs.of(wayOf("/", "/blog", "/blog/page"), href, "en"), first);
  });

  it("differ for another trail and another language", () => {
    const breadcrumbs = new Breadcrumbs();
    breadcrumbs.of(wayOf("/", "/blog", "/blog/page"), href, "en");
    const hidden = breadcrumbs.of(wayOf("/", "/blog/page"), href, "en");
    assert.deepEqual(
      hidden.map(({ title }) => title),
      ["Home", "Page"],
    );
    const german = breadcrumbs.of(wayOf("/", "/blog/page"), (route) => `/de${route}`, "de");
    assert.equal(german.at(-1)?.url, "/de/blog/page");
  });

  it("are empty without a page", () => {
    assert.deepEqual(new Breadcrumbs().of([], href, "en"), []);
  });
});
