import assert from "node:assert/strict";
import { exportFolder, type ExportedFolder } from "../../support/processes/export-folder.js";
import { adminPlugins } from "../../support/sites/admin-site.js";
import { bootForms } from "../forms/form-site.js";

const plugins = [...adminPlugins, "render", "forms", "comments", "email", "outbound"];
const files = {
  "content/01.home/default.md": "---\ntitle: Home\n---\nWelcome.\n",
  "content/05.post/post.md": "---\ntitle: Post\ndate: 2026-01-01\ncomments: true\n---\nText.\n",
};
const site = (more: string): string =>
  `title: Test\nurl: https://example.org\ncomments: {}\n${more}`;

describe("comments in a static export", () => {
  let exported: ExportedFolder;
  afterEach(() => exported.close());

  /** Sends a comment to a server on the folder, and sets its status. */
  async function comment(text: string, status: "approved" | "pending"): Promise<void> {
    const { root } = exported;
    const server = await bootForms({ root, plugins, settings: { site: { comments: {} } } });
    try {
      const token = await server.token("/post");
      server.wait(5);
      const body = new URLSearchParams({ route: "/post", name: "Ada", text, _token: token });
      const sent = await server.fetch("/api/comments", {
        method: "POST",
        body,
        headers: { accept: "application/json" },
      });
      const { id } = await sent.json();
      const page = (await server.site.use("comments").list({ limit: 1, offset: 0 })).items[0]?.page;
      if (status !== "pending") {
        await server.site.use("comments").setStatus(page ?? "", id, status);
      }
    } finally {
      await server.close();
    }
  }
  const post = (): Promise<string> => exported.read("post/index.html");

  it("are the approved ones at the time of the export, without a form", async () => {
    exported = await exportFolder({ ...files, "site.yaml": site("") });
    await comment("Green tea, please.", "approved");
    await comment("Still waiting.", "pending");
    assert.deepEqual((await exported.export()).failures, []);
    const html = await post();
    assert.match(html, /Green tea, please\./);
    assert.match(html, /1 comment</);
    assert.match(html, /<p class="notice" role="note">This form needs the server of the site\./);
    assert.doesNotMatch(html, /Still waiting|comments\/reply|<textarea/);
    await comment("Black tea for me.", "approved");
    const { broken } = await exported.export();
    assert.match(await post(), /Black tea for me\./);
    assert.deepEqual(broken, []);
  });

  it("have a form and links to reply that lead to the server with `forms.static: post`", async () => {
    const posting = site("forms: { static: post }\n");
    exported = await exportFolder({ ...files, "site.yaml": posting });
    await comment("Green tea, please.", "approved");
    await exported.export();
    const html = await post();
    assert.match(html, /<form[^>]* action="https:\/\/example\.org\/api\/comments"/);
    assert.match(html, /href="https:\/\/example\.org\/comments\/reply\?route=/);
    assert.doesNotMatch(html, /name="_token"/);
  });
});
