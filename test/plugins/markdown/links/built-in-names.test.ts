import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";

const NAMES = ["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"];

describe("headings named like a part of JavaScript", () => {
  let site: TestSite;
  before(async () => {
    const headings = NAMES.map((name) => `## ${name}\n\ntext\n`).join("\n");
    const links = NAMES.map((name) => `[x](reference.md#${name.toLowerCase()})`).join("\n");
    site = await bootSite({
      files: {
        "content/index.md": "# Home\n",
        "content/reference.md": `# Reference\n\n${headings}`,
        "content/guide.md": `# Guide\n\n${links}\n`,
      },
      plugins: ["content", "markdown", "render", "pages", "check"],
    });
  });
  after(() => site.close());

  it("are reached by links from other pages", async () => {
    const ids = (await htmlOf("reference")).matchAll(/<h2 id="([^"]*)"/g);
    const targets = (await htmlOf("guide")).matchAll(/href="[^"#]*#([^"]*)"/g);
    assert.deepEqual(
      [...targets].map(([, id]) => id),
      [...ids].map(([, id]) => id),
    );
  });

  it("are no missing anchors for the check", async () => {
    const problems = await site.site.context("check").use("check").problems();
    assert.deepEqual(
      problems.filter(({ code }) => code === "ERR_CHECK_ANCHOR"),
      [],
    );
  });

  async function htmlOf(route: string): Promise<string> {
    const page: { html: string } = await (await site.fetch(`/api/pages/${route}`)).json();
    return page.html;
  }
});
