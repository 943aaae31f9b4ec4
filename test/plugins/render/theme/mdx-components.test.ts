import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";

describe("mdx-components", () => {
  let site: TestSite;
  afterEach(() => site.close());

  it("come from the theme chain, the child before the parent, as named or default exports", async () => {
    site = await bootSite({
      files: {
        "site.yaml": "title: Test\ntheme: { name: child }\n",
        "content/01.home/default.mdx": "<One /> <Two />\n",
        "themes/child/theme.yaml": "parent: parent\n",
        "themes/child/mdx-components.tsx": "export const One = () => <b>child one</b>;\n",
        "themes/parent/mdx-components.tsx":
          "export default { One: () => <b>parent one</b>, Two: () => <b>parent two</b> };\n",
        "themes/parent/templates/default.tsx":
          'import { Html } from "sitewright/theme";\nexport default ({ page }) => <html><head></head><body><Html html={page.html} /></body></html>;\n',
      },
    });
    const html = await (await site.fetch("/")).text();
    assert.match(html, /child one/);
    assert.match(html, /parent two/);
    assert.doesNotMatch(html, /parent one/);
  });
});
