import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "#kernel";
import {
  adminPlugins,
  bootAdmin,
  type AdminClient,
  type AdminSite,
} from "../../../../support/sites/admin-site.js";

const POST = `parents: [blog]
fields:
  title: { type: text, label: Title, required: true }
  date: { type: date, label: Date }
`;
const DATED = POST.replace("label: Date }", "label: Date, required: true, default: now }");
const draft = (more = "") => `---\ntitle: T   # ours\nstatus: draft\n${more}---\nText.\n`;

describe("the date of a page that is published", () => {
  let site: AdminSite;
  let editor: AdminClient;
  const clock = { at: 0, now: () => clock.at };
  const open = async (files: Record<string, string>): Promise<void> => {
    // In the evening of the day before in New York.
    clock.at = Date.parse("2026-06-02T02:30:00Z");
    site = await bootAdmin({
      clock,
      plugins: [...adminPlugins, "feeds"],
      settings: {
        site: { title: "T", url: "https://example.org" },
        system: { timezone: "America/New_York" },
      },
      files: {
        "content/02.blog/01.first/post.md": "---\ntitle: First\ndate: 2026-05-01\n---\nFirst.\n",
        "content/02.blog/02.second/post.md": draft(),
        "blueprints/post.yaml": POST,
        ...files,
      },
    });
    editor = await site.as("editor");
  };
  afterEach(() => site.close());
  const onDisk = (path: string) => readFile(join(site.root, "content", path), "utf8");
  const SECOND = "02.blog/02.second/post.md";
  const published = draft("date: 2026-06-01\n").replace("draft", "published");
  const newest = async () => {
    const { items } = await editor.json(200, "GET", "/api/pages?order=date:desc&limit=2");
    return items.map(({ route, date }: Record<string, string>) => `${route} ${date}`);
  };

  const ways = {
    "by a transition": async () => {
      const body = { path: SECOND, to: "published" };
      await editor.json(200, "POST", "/admin/api/workflow/transition", body);
    },
    "by the panel": async () => {
      await editor.json(201, "PUT", `/admin/api/drafts/${SECOND}`, { content: draft() });
      const body = { status: "published" };
      await editor.json(200, "POST", `/admin/api/drafts/${SECOND}/publish`, body);
    },
    "in bulk": async () => {
      const operations = [{ op: "publish", path: SECOND }];
      const { summary } = await editor.json(200, "POST", "/admin/api/batch", { operations });
      assert.equal(summary.done, 1);
    },
    "by a save of its status": async () => {
      const frontmatter = { status: "published" };
      await editor.json(200, "PUT", `/admin/api/pages/${SECOND}`, { frontmatter });
    },
  };
  for (const [how, publish] of Object.entries(ways)) {
    it(`is the day of its first publication, ${how}`, async () => {
      await open({});
      await publish();
      assert.equal(await onDisk(SECOND), published);
      assert.deepEqual(await newest(), ["/blog/second 2026-06-01", "/blog/first 2026-05-01"]);
      const feed = await (await site.fetch("/feed.xml")).text();
      assert.ok(feed.indexOf("/blog/second") < feed.indexOf("/blog/first"), feed);
      assert.ok(feed.includes("/blog/second"), feed);
    });
  }

  it("stays what it is", async () => {
    for (const date of ["2020-01-01", "'2030-01-01 10:00'  # mine"]) {
      await open({ [`content/${SECOND}`]: draft(`date: ${date}\n`) });
      await ways["in bulk"]();
      const text = draft(`date: ${date}\n`).replace("draft", "published");
      assert.equal(await onDisk(SECOND), text);
      await site.close();
    }
    await open({});
    await ways["in bulk"]();
    const unpublish = { path: SECOND, to: "draft" };
    await editor.json(200, "POST", "/admin/api/workflow/transition", unpublish);
    clock.at += 3 * 3_600_000;
    await ways["in bulk"]();
    assert.equal(await onDisk(SECOND), published);
  });

  it("replaces an empty value, and is a time where the field has one", async () => {
    const fields = POST.replace("type: date", "type: datetime");
    await open({
      [`content/${SECOND}`]: draft("date:   # later\n"),
      "blueprints/post.yaml": fields,
    });
    await ways["by a transition"]();
    const dated = draft("date: 2026-06-01T22:30:00-04:00   # later\n");
    assert.equal(await onDisk(SECOND), dated.replace("draft", "published"));
  });

  it("is not written without a page type that has the field", async () => {
    for (const blueprint of ["fields: {}\n", "fields: { date: { type: text } }\n"]) {
      await open({ "blueprints/post.yaml": blueprint });
      await ways["in bulk"]();
      assert.equal(await onDisk(SECOND), draft().replace("draft", "published"));
      await site.close();
    }
    await open({});
  });

  it("is not written by a save of a page that is public already", async () => {
    const text = "---\ntitle: First\n---\nFirst.\n";
    await open({ "content/02.blog/01.first/post.md": text });
    const path = "/admin/api/pages/02.blog/01.first/post.md";
    await editor.json(200, "PUT", path, { frontmatter: { title: "Other" } });
    assert.equal(await onDisk("02.blog/01.first/post.md"), text.replace("First", "Other"));
  });

  it("is the time of a schedule, follows another time, and goes with the schedule", async () => {
    await open({});
    const plan = (scheduledAt: string) => {
      const body = { path: SECOND, action: "publish", scheduledAt };
      return editor.json(201, "POST", "/admin/api/workflow/schedule", body);
    };
    await plan("2026-06-10T12:00:00Z");
    assert.match(await onDisk(SECOND), /^date: 2026-06-10$/m);
    await plan("2026-06-20T12:00:00Z");
    assert.match(await onDisk(SECOND), /^date: 2026-06-20$/m);
    const path = `/admin/api/workflow/schedule/${SECOND}?action=publish`;
    await editor.json(200, "DELETE", path);
    assert.equal(await onDisk(SECOND), draft());
    await plan("2026-06-10T12:00:00Z");
    clock.at = Date.parse("2026-06-10T12:00:00Z");
    assert.deepEqual(await newest(), ["/blog/second 2026-06-10", "/blog/first 2026-05-01"]);
  });

  it("stays with another schedule when a person has written it", async () => {
    await open({ [`content/${SECOND}`]: draft("date: 2026-06-05\n") });
    const body = { path: SECOND, action: "publish", scheduledAt: "2026-06-10T12:00:00Z" };
    await editor.json(201, "POST", "/admin/api/workflow/schedule", body);
    assert.match(await onDisk(SECOND), /^date: 2026-06-05$/m);
    await editor.json(200, "DELETE", `/admin/api/workflow/schedule/${SECOND}?action=publish`);
    assert.match(await onDisk(SECOND), /^date: 2026-06-05$/m);
  });

  it("is the day of creation where its default is `now`", async () => {
    await open({ "blueprints/post.yaml": DATED });
    const page = { parent: "/blog", template: "post", frontmatter: { title: "Third" }, body: "" };
    const { sourcePath } = await editor.json(201, "POST", "/admin/api/pages", page);
    assert.equal(await onDisk(sourcePath), "---\ntitle: Third\ndate: 2026-06-01\n---\n");
    const own = { ...page, frontmatter: { title: "Fourth", date: "2020-01-01" } };
    const fourth = await editor.json(201, "POST", "/admin/api/pages", own);
    assert.match(await onDisk(fourth.sourcePath), /^date: 2020-01-01$/m);
    // An existing page without a date is still what the blueprint calls invalid.
    const refused = await editor.send("PUT", `/admin/api/pages/${SECOND}`, {
      frontmatter: { title: "X" },
    });
    assert.equal(refused.status, 422);
  });

  it("is offered to forms as today, and no schema has the word", async () => {
    await open({ "blueprints/post.yaml": DATED });
    const { items } = await editor.json(200, "GET", "/admin/api/page-types");
    const [type] = items.filter(({ template }: { template: string }) => template === "post");
    const [field] = type.fields.filter(({ name }: { name: string }) => name === "date");
    assert.equal(field.default, "2026-06-01");
    const { post } = site.site.use("editorSchemas").all();
    assert.ok(isRecord(post?.["properties"]) && isRecord(post["properties"]["date"]));
    assert.doesNotMatch(JSON.stringify(post), /"now"/);
  });
});
