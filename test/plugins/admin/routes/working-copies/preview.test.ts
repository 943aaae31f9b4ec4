import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { adminPlugins, client } from "../../../../support/sites/admin-site.js";
import { until } from "../../../../support/until.js";
import { useAdmin } from "../../../../support/sites/use-site.js";

const url = "/admin/api/preview";
const path = "02.blog/01.first/post.md";
const picture = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

describe("previews of the admin API", () => {
  const site = useAdmin({
    plugins: [...adminPlugins, "render", "embeds"],
    files: {
      "content/02.blog/01.first/dot.gif": picture,
      "content/03.parts/default.md": "---\ntitle: Parts\nstatus: draft\n---\nAbove the parts.\n",
      "content/03.parts/_one/text.md": "---\ntitle: One\n---\nOld part.\n",
      "content/_drafts/idea/default.md": "---\ntitle: Idea\n---\nLater.\n",
      "blueprints/post.yaml": "title: Post\nfields:\n  title: { type: text, required: true }\n",
    },
  });
  const editor = site.user("editor");
  const author = site.user("author");
  const shown = (content: string, given = path) =>
    author.json(200, "POST", url, { path: given, content });

  it("show unsaved text in the theme, with new title, navigation and media", async () => {
    const content = "---\ntitle: Fresh\n---\nUnsaved **words** ![dot](dot.gif) [all](/blog)\n";
    const { html, title, url: address, warnings } = await shown(content);
    assert.deepEqual([title, address, warnings], ["Fresh", "/blog/first", []]);
    assert.match(html, /^<!doctype html>/i);
    assert.match(html, /<title>Fresh/);
    assert.match(html, /Unsaved <strong>words<\/strong>/);
    assert.match(html, /<img[^>]+src="\/content-media\/02\.blog\/01\.first\/dot\.gif/);
    assert.match(html, /<link rel="stylesheet"/);
    const blog = await shown("---\ntitle: Journal\n---\n", "02.blog/blog.md");
    assert.match(blog.html, /<nav[\s\S]*Journal[\s\S]*<\/nav>/);
    assert.doesNotMatch(blog.html, /Second/, "other drafts stay hidden");
  });

  it("write nothing: no file, cache, history, event or problem", async () => {
    const { hooks, changes } = site.site.context("admin");
    const events: string[] = [];
    hooks.on("onPageUpdate", ({ data }) => void events.push(data.sourcePath));
    const { cursor } = changes;
    await shown('---\ntitle: Fresh\n---\nKept nowhere. {{ embed "https://unknown.example" }}\n');
    const source = await readFile(join(site.root, "content", path), "utf8");
    assert.match(source, /First body/);
    assert.equal(changes.cursor, cursor);
    assert.deepEqual(events, []);
    assert.deepEqual(site.site.use("markdown").problems(), []);
    const text = await (await site.fetch("/blog/first")).text();
    assert.match(text, /First body/);
    assert.doesNotMatch(text, /data-line/);
    const texts = async () => {
      const names = await readdir(site.root, { recursive: true, withFileTypes: true });
      const files = names.filter((item) => item.isFile());
      return Promise.all(
        files.map(({ parentPath, name }) => readFile(join(parentPath, name), "utf8")),
      );
    };
    // The HTML of the page itself is cached in a file.
    await until(async () => (await texts()).some((one) => one.includes("<p>First")));
    assert.ok((await texts()).every((one) => !one.includes("nowhere")));
  });

  it("mark each top-level block with its line in the file", async () => {
    const body = ["# Head", "", "Text", "over two lines", "", "- a", "- b", "", "```js", "let a;"];
    const rest = [
      "```",
      "",
      "> quote",
      "",
      "| a |",
      "| - |",
      "| b |",
      "",
      "<div>raw</div>",
      "",
      "End",
    ];
    const lines = ["---", "title: Lines", "---", ...body, ...rest];
    const { html } = await shown(lines.join("\n"));
    const marks = [...html.matchAll(/<(\w+)[^>]* data-line="(\d+)"/g)];
    assert.deepEqual(
      marks.map(([, tag, line]) => [tag, lines[Number(line) - 1]]),
      [
        ["h1", "# Head"],
        ["p", "Text"],
        ["ul", "- a"],
        ["pre", "```js"],
        ["blockquote", "> quote"],
        ["table", "| a |"],
        ["div", "<div>raw</div>"],
        ["p", "End"],
      ],
    );
    const plain = await shown("First\n\nSecond\n");
    assert.deepEqual(
      [...plain.html.matchAll(/data-line="(\d+)"/g)].map(([, line]) => line),
      ["1", "3"],
    );
  });

  it("show pages that are hidden or new as they will be published", async () => {
    const hidden = "---\ntitle: Soon\nstatus: draft\nroles: member\n---\nHidden text.\n";
    assert.match((await shown(hidden)).html, /Hidden text/);
    assert.match((await shown("Another idea.", "_drafts/idea/default.md")).html, /Another idea/);
    const made = await shown("---\ntitle: Made\n---\nNew page.\n", "04.new/default.md");
    assert.equal(made.url, "/new");
    assert.match(made.html, /New page/);
    assert.equal((await site.fetch("/new")).status, 404);
  });

  it("show modules in their page", async () => {
    const { html, title } = await shown(
      "---\ntitle: One\n---\nNew part of the page.\n",
      "03.parts/_one/text.md",
    );
    assert.equal(title, "Parts");
    assert.match(html, /Above the.parts/);
    assert.match(html, /New part of/);
  });

  it("report what does not fit the blueprint, and show the page", async () => {
    const { html, warnings } = await shown("---\ntags: [a]\n---\nNo title.\n");
    assert.match(html, /No title/);
    assert.equal(warnings[0].field, "title");
  });

  it("neutralise scripts as on the site", async () => {
    const { html } = await shown("<script>alert(1)</script><img src=x onerror=alert(1)> text");
    assert.doesNotMatch(html, /alert\(1\)/);
  });

  it("reject paths and texts that no page can have", async () => {
    for (const one of ["x.html", "../../site.md", "a/../../b.md", ".hidden.md", "a\u0000.md"]) {
      const answer = await editor.send("POST", url, { path: one, content: "x" });
      assert.equal(answer.status, 400, one);
    }
    const yaml = await editor.send("POST", url, { path, content: "---\ntitle: [\n---\n" });
    assert.equal(yaml.status, 400);
    assert.match(await yaml.text(), /line 2/);
    assert.equal((await editor.send("POST", url, { path, content: "x".repeat(6e6) })).status, 413);
    assert.equal((await editor.send("POST", url, { path })).status, 400);
    await shown("x", "__proto__/default.md");
  });

  it("need plugins.manage for code", async () => {
    const code = { path: "05.code/default.mdx", content: "{1 + 1}" };
    assert.equal((await editor.send("POST", url, code)).status, 403);
    const admin = await site.as("admin");
    assert.match((await admin.json(200, "POST", url, code)).html, /2/);
    const tsx = { path: "05.code/page.tsx", content: "export default () => null" };
    assert.equal((await admin.send("POST", url, tsx)).status, 422);
  });

  describe("as documents", () => {
    const form = (fields: Record<string, string>, who = author) =>
      site.fetch("/admin/preview", {
        method: "POST",
        headers: {
          cookie: who.cookie,
          "sec-fetch-site": "same-origin",
          "content-type": "application/x-www-form-urlencoded",
        },
        body: new URLSearchParams(fields).toString(),
      });

    it("are shown in a frame of the panel only, without scripts, and never cached", async () => {
      const answer = await form({ path, content: "In a frame.", _csrf: author.csrf });
      assert.equal(answer.status, 200);
      assert.match(await answer.text(), /In a frame/);
      assert.equal(answer.headers.get("x-frame-options"), "SAMEORIGIN");
      assert.equal(answer.headers.get("x-robots-tag"), "noindex, nofollow");
      assert.match(answer.headers.get("cache-control") ?? "", /no-store/);
      const policyOf = ({ headers }: Response) =>
        (headers.get("content-security-policy") ?? "").replaceAll(/ 'nonce-[^']+'/g, "");
      const page = await site.fetch("/blog/first");
      const policy = policyOf(answer);
      assert.equal(policy, `${policyOf(page)}; sandbox allow-same-origin`);
      assert.match(policy, /style-src 'self'/);
    });

    it("need the form's token, and rights", async () => {
      assert.equal((await form({ path, content: "x" })).status, 403);
      assert.equal((await form({ path, content: "x", _csrf: "wrong" })).status, 403);
      const stranger = client(site, { id: "", cookie: "", csrf: "" });
      assert.equal((await form({ path, content: "x" }, stranger)).status, 401);
      assert.equal((await form({ path: "x.html", content: "", _csrf: author.csrf })).status, 400);
    });
  });
});
