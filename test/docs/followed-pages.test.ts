import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "#lib/packages";
import { bootSite, type TestSite } from "../support/sites/boot-site.js";

/** The files that a page of the documentation shows, each below a line with its path. */
function filesOf(page: string): Record<string, string> {
  const text = readFileSync(join(packageRoot(), "content", page), "utf8");
  const blocks = text.matchAll(/^`([\w./-]+)`:\n\n```\w+\n([^]*?)^```$/gm);
  return Object.fromEntries([...blocks].map(([, path = "", body = ""]) => [path, body]));
}

describe("the examples of the documentation, followed to the letter", () => {
  let site: TestSite;
  afterEach(() => site.close());
  const html = async (path: string): Promise<string> => {
    const answer = await site.fetch(path);
    assert.equal(answer.status, 200);
    return (await answer.text()).replaceAll("\u00a0", " ");
  };

  it("modules and blocks", async () => {
    const files = filesOf("03.write/11.modules/docs.md");
    assert.equal(Object.keys(files).length, 8);
    site = await bootSite({
      files: {
        "site.yaml": "title: Site\ntheme: { name: mine }\n",
        "content/01.home/default.md": "---\ntitle: Home\n---\n",
        "themes/mine/theme.yaml": "name: mine\nversion: 1.0.0\nparent: default\n",
        ...files,
        "content/03.boats/04._price/price.md": "---\ntitle: Price\namount: 40\n---\n",
      },
    });
    const page = await html("/boats");
    for (const text of [
      "Two boats, one harbour</h1>",
      "Life jackets",
      "<strong>north</strong>",
      "40 per day",
    ])
      assert.ok(page.includes(text), text);
    assert.match(await html("/offer"), /<blockquote><p>The wind decides\.<\/p>[^]*Ada/);
    const api = await site.fetch("/api/pages/boats?include=modules");
    assert.equal(((await api.json()) as { modules: unknown[] }).modules.length, 4);
  });

  it("a shortcode of a plugin", async () => {
    site = await bootSite({ files: filesOf("03.write/12.shortcodes/docs.md") });
    const page = await html("/");
    assert.ok(
      page.includes('This is <strong class="badge level-2">new</strong>, and {{ badge }}'),
      page,
    );
  });
});
