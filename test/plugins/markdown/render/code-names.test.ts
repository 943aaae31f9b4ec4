import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";

const NAMES = [
  "c++",
  "C++",
  "c#",
  "F#",
  "objective-c",
  "Objective-C++",
  "golang",
  "node",
  "rust,ignore",
  "{.python}",
];

describe("code fences with the usual names of languages", () => {
  let site: TestSite;
  before(async () => {
    const pages = NAMES.map((name, at) => [
      `content/p${at}.md`,
      `# P\n\n\`\`\`${name}\nint x = 1; if (x) return 2; // let\n\`\`\`\n`,
    ]);
    site = await bootSite({
      files: { "content/index.md": "# Home\n", ...Object.fromEntries(pages) },
      plugins: ["content", "markdown", "render", "pages"],
    });
  });
  after(() => site.close());

  for (const [at, name] of NAMES.entries()) {
    it(`colours ${name}`, async () => {
      const page: { html: string } = await (await site.fetch(`/api/pages/p${at}`)).json();
      assert.match(page.html, /<code[^>]*>[^]*class="tk-/);
    });
  }
});
