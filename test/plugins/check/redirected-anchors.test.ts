import assert from "node:assert/strict";
import { bootSite } from "../../support/sites/boot-site.js";

describe("anchors of links that redirect", () => {
  it("are checked on the page that they lead to", async () => {
    const site = await bootSite({
      plugins: ["check", "content", "markdown", "pages"],
      files: {
        "site.yaml": "title: T\nhome: blog\nredirects: { /old: /about, '/was/*': '/:splat' }\n",
        "content/02.blog/default.md": "# Blog\n",
        "content/03.about/default.md":
          "# About\n\n## Here\n\n[a](/blog#nothing) [b](/old#nothing) [c](/was/about#nothing) [d](/old#here) [e](/#blog)\n",
      },
    });
    try {
      const problems = await site.site.use("check").problems();
      const found = problems.filter(({ code }) => code === "ERR_CHECK_ANCHOR");
      assert.deepEqual(
        found.map(({ message }) => /^"([^"]*)"/.exec(message)?.[1]),
        ["/blog#nothing", "/old#nothing", "/was/about#nothing"],
      );
    } finally {
      await site.close();
    }
  });
});
