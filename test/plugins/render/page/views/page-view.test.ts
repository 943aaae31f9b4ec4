import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../../../support/sites/boot-site.js";

const show = `export default ({ page }) => {
  const { html, ...rest } = page;
  return <html><head></head><body>{JSON.stringify(rest)}</body></html>;
};
`;

describe("the prop page", () => {
  let site: TestSite;
  afterEach(() => site.close());
  const boot = async (files: Record<string, string>): Promise<void> => {
    site = await bootSite({
      files: {
        "site.yaml": "title: Test\nurl: https://site.test\ntheme: { name: mine }\n",
        "themes/mine/templates/default.tsx": show,
        "content/01.home/default.md": "---\ntitle: Welcome\nnav_title: Home\n---\n",
        ...files,
      },
    });
  };
  const page = async (path: string) => {
    const html = await (await site.fetch(path)).text();
    const json = /<body>(.*)<\/body>/s.exec(html)?.[1] ?? "";
    return JSON.parse(
      json.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&"),
    );
  };

  it("contains the trail from the home page, with navigation titles", async () => {
    await boot({
      "content/02.docs/default.md": "---\ntitle: Documentation\nnav_title: Docs\n---\n",
      "content/02.docs/gap/page/default.md": "---\ntitle: Page\n---\n## One\n",
    });
    const { breadcrumbs, headings } = await page("/docs/gap/page");
    assert.deepEqual(breadcrumbs, [
      { title: "Home", url: "/" },
      { title: "Docs", url: "/docs" },
      { title: "Page", url: "/docs/gap/page" },
    ]);
    assert.deepEqual(headings, [{ level: 2, id: "one", text: "One" }]);
  });

  it("omits hidden pages from the trail", async () => {
    await boot({
      "content/02.docs/default.md": "---\ntitle: Docs\nroles: [staff]\n---\n",
      "content/02.docs/page/default.md": "---\ntitle: Page\n---\n",
    });
    assert.deepEqual(
      (await page("/docs/page")).breadcrumbs.map(({ title }: { title: string }) => title),
      ["Home", "Page"],
    );
  });

  it("has an absolute canonical address, its own or the one in front matter", async () => {
    await boot({
      "content/02.über uns/default.md": "---\ntitle: A\n---\n",
      "content/03.b/default.md": "---\ntitle: B\nroutes: { canonical: /a }\n---\n",
      "content/04.c/default.md":
        "---\ntitle: C\nroutes: { canonical: 'https://other.test/c' }\n---\n",
    });
    assert.equal((await page("/%C3%BCber%20uns")).canonical, "https://site.test/%C3%BCber%20uns");
    assert.equal((await page("/b")).canonical, "https://site.test/a");
    assert.equal((await page("/c")).canonical, "https://other.test/c");
  });
});
