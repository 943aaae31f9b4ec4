import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../../../support/sites/boot-site.js";

const show = `export default ({ page }) => {
  const { html, ...rest } = page;
  return <html><head></head><body>{JSON.stringify(rest)}</body></html>;
};
`;

describe("the prop page", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({
      files: {
        "site.yaml": "title: Test\nurl: https://site.test\ntheme: { name: mine }\n",
        "themes/mine/templates/default.tsx": show,
        "content/01.home/default.md": "---\ntitle: Welcome\nnav_title: Home\n---\n",
        "content/02.docs/default.md": "---\ntitle: Documentation\nnav_title: Docs\n---\n",
        "content/02.docs/gap/page/default.md": "---\ntitle: Page\n---\n## One\n",
        "content/03.staff/default.md": "---\ntitle: Staff\nroles: [staff]\n---\n",
        "content/03.staff/page/default.md": "---\ntitle: Page\n---\n",
        "content/04.über uns/default.md": "---\ntitle: A\n---\n",
        "content/05.b/default.md": "---\ntitle: B\nroutes: { canonical: /a }\n---\n",
        "content/06.c/default.md":
          "---\ntitle: C\nroutes: { canonical: 'https://other.test/c' }\n---\n",
      },
    });
  });
  after(() => site.close());
  const page = async (path: string) => {
    const html = await (await site.fetch(path)).text();
    const json = /<body>(.*)<\/body>/s.exec(html)?.[1] ?? "";
    return JSON.parse(
      json.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&"),
    );
  };

  it("contains the trail from the home page, with navigation titles", async () => {
    const { breadcrumbs, headings } = await page("/docs/gap/page");
    assert.deepEqual(breadcrumbs, [
      { title: "Home", url: "/" },
      { title: "Docs", url: "/docs" },
      { title: "Page", url: "/docs/gap/page" },
    ]);
    assert.deepEqual(headings, [{ level: 2, id: "one", text: "One" }]);
  });

  it("omits hidden pages from the trail", async () => {
    assert.deepEqual(
      (await page("/staff/page")).breadcrumbs.map(({ title }: { title: string }) => title),
      ["Home", "Page"],
    );
  });

  for (const [path, canonical] of [
    ["/%C3%BCber%20uns", "https://site.test/%C3%BCber%20uns"],
    ["/b", "https://site.test/a"],
    ["/c", "https://other.test/c"],
  ] as const) {
    it(`has the canonical address ${canonical}`, async () =>
      assert.equal((await page(path)).canonical, canonical));
  }
});
