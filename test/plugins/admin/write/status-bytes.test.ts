import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AdminClient } from "../../../support/sites/admin-site.js";
import { useAdmin } from "../../../support/sites/use-site.js";

const PAGE = "05.shop/default.md";
const HEAD = `# the shop
title:   'Old title'   # shown
odd:   {a: 1,b:   2}   # c
zip: 01234
tags: [ a,b ]
`;
const TAXONOMY = `taxonomy: { category: [essays],   tag: [ craft ] }  # terms
`;
const REST = `"quoted key": "yes"
price: 21.00
text: >-
  folded
  text

base: &base   {city: 'Port'}
other: *base
`;
const BODY = "\n# Shop  \n\n*  odd list\t\n---\nlast line without end";

/** Line ends, a byte order mark, and a byte order mark with Windows line ends. */
const forms: Readonly<Record<string, (text: string) => string>> = {
  "line feeds": (text) => text,
  "Windows line ends": (text) => text.replaceAll("\n", "\r\n"),
  "a byte order mark": (text) => `\uFEFF${text}`,
  "a byte order mark and Windows line ends": (text) => `\uFEFF${text.replaceAll("\n", "\r\n")}`,
};

interface Action {
  readonly page: string;
  readonly after: string;
  run(editor: AdminClient): Promise<unknown>;
}

const page = (status: string, more = "", taxonomy = TAXONOMY): string =>
  `---\n${HEAD}status:  ${status}   # state\n${taxonomy}${REST}${more}---\n${BODY}`;
const transition = (to: string) => (editor: AdminClient) =>
  editor.json(200, "POST", "/admin/api/workflow/transition", { path: PAGE, to });
const batch = (operation: object) => async (editor: AdminClient) => {
  const operations = [{ path: PAGE, ...operation }];
  const { results } = await editor.json(200, "POST", "/admin/api/batch", { operations });
  assert.deepEqual([results[0].status, results[0].error], ["done", undefined]);
};
const schedule = (action: string) => (editor: AdminClient) =>
  editor.json(201, "POST", "/admin/api/workflow/schedule", {
    path: PAGE,
    action,
    scheduledAt: "2027-06-01T08:00:00Z",
  });
const unschedule = (action: string) => (editor: AdminClient) =>
  editor.json(200, "DELETE", `/admin/api/workflow/schedule/${PAGE}?action=${action}`);
const AT = "2027-06-01T08:00:00.000Z";
const tagged = (tag: string) => TAXONOMY.replace("[ craft ]", tag);

const actions: Readonly<Record<string, Action>> = {
  "back to draft": {
    page: page("published"),
    after: page("draft"),
    run: transition("draft"),
  },
  publish: { page: page("draft"), after: page("published"), run: transition("published") },
  "ask for a review": {
    page: page("draft"),
    after: page("in_review"),
    run: transition("in_review"),
  },
  archive: { page: page("published"), after: page("archived"), run: transition("archived") },
  "publish in bulk": {
    page: page("draft"),
    after: page("published"),
    run: batch({ op: "publish" }),
  },
  "withdraw in bulk": {
    page: page("published"),
    after: page("draft"),
    run: batch({ op: "unpublish" }),
  },
  "archive in bulk": {
    page: page("published"),
    after: page("archived"),
    run: batch({ op: "archive" }),
  },
  schedule: {
    page: page("draft"),
    after: page("published", `publish_date: ${AT}\n`),
    run: schedule("publish"),
  },
  "cancel a schedule": {
    page: page("published", `publish_date:   ${AT}\n`),
    after: page("draft"),
    run: unschedule("publish"),
  },
  "withdraw later": {
    page: page("published"),
    after: page("published", `unpublish_date: ${AT}\n`),
    run: schedule("unpublish"),
  },
  "add a tag": {
    page: page("draft"),
    after: page("draft", "", tagged("[ craft, New ]")),
    run: batch({ op: "tag", value: "New" }),
  },
  "remove a tag of two": {
    page: page("draft", "", tagged("[ craft,  old ]")),
    after: page("draft", "", tagged("[ craft ]")),
    run: batch({ op: "untag", value: "old" }),
  },
  "set a key": {
    page: page("draft"),
    after: page("draft").replace("'Old title'", "'New title'"),
    run: batch({ op: "set", frontmatter: { title: "New title" } }),
  },
};

describe("actions on a page keep every other line", () => {
  const site = useAdmin();
  const editor = site.user("editor");
  const onDisk = (path: string) => readFile(join(site.root, "content", path), "utf8");
  const place = async (path: string, text: string): Promise<void> => {
    await site.write(`content/${path}`, text);
    await site.site.use("content").refresh([path]);
  };

  for (const [form, formed] of Object.entries(forms)) {
    for (const [name, { page: text, after: expected, run }] of Object.entries(actions)) {
      it(`${name}, with ${form}`, async () => {
        await place(PAGE, formed(text));
        await run(editor);
        assert.equal(await onDisk(PAGE), formed(expected));
      });
    }

    it(`move, with ${form}`, async () => {
      await place(PAGE, formed(page("draft")));
      const operations = [{ op: "move", path: PAGE, to: "06.store/default.md" }];
      const { summary } = await editor.json(200, "POST", "/admin/api/batch", { operations });
      assert.equal(summary.done, 1);
      assert.equal(await onDisk("06.store/default.md"), formed(page("draft")));
      await site.site.use("content").apply([{ op: "delete", path: "06.store/default.md" }]);
    });

    it(`publish a working copy, with ${form}`, async () => {
      await place(PAGE, formed(page("draft")));
      const typed = formed(page("draft").replace("odd list", "other list"));
      await editor.json(201, "PUT", `/admin/api/drafts/${PAGE}`, { content: typed });
      const body = { status: "published" };
      await editor.json(200, "POST", `/admin/api/drafts/${PAGE}/publish`, body);
      assert.equal(await onDisk(PAGE), formed(page("published").replace("odd list", "other list")));
    });
  }
});

describe("a page that ends with its closing fence", () => {
  const site = useAdmin();
  const editor = site.user("editor");

  for (const [what, head] of [
    ["YAML", "---\ntitle: V\n---"],
    ["TOML", '+++\ntitle = "V"\n+++'],
  ] as const) {
    for (const [form, formed] of Object.entries(forms)) {
      it(`gets its text on a line of its own: ${what} with ${form}`, async () => {
        await site.write(`content/${PAGE}`, formed(head));
        await site.site.use("content").refresh([PAGE]);
        const save = (body: string) =>
          editor.json(200, "PUT", `/admin/api/pages/${PAGE}`, { body });
        assert.equal((await save("ZQ")).body, "ZQ");
        const file = join(site.root, "content", PAGE);
        assert.equal(await readFile(file, "utf8"), formed(`${head}\n`) + "ZQ");
        assert.equal((await save("")).body, "");
        assert.equal((await save("")).frontmatter.title, "V");
      });
    }
  }
});

const RECORD = `# supplier: ask first
name: 'Tide chart 2009'   # old name
price: 21.00
kind: print
legacy_sku: A-77
zip: 01234
tags: [ light,craft ]
text: >-
  folded
  text
`;

describe("a record that is saved", () => {
  const TYPE = `title: Things
fields:
  name: { type: text, required: true }
  price: { type: number }
  kind: { type: select, options: [print, map] }
  tags: { type: list }
  text: { type: textarea }
`;
  const files = Object.fromEntries(
    Object.entries(forms).map(([, formed], at) => [`r${at}`, formed(RECORD)]),
  );
  const site = useAdmin({
    files: {
      "flex-objects/thing.yaml": TYPE,
      ...Object.fromEntries(
        Object.entries(files).map(([id, text]) => [`flex-objects/thing/${id}.yaml`, text]),
      ),
    },
  });
  const editor = site.user("editor");

  Object.keys(forms).forEach((form, at) => {
    it(`keeps the lines of the fields that did not change, with ${form}`, async () => {
      const id = `r${at}`;
      const address = `/admin/api/flex/thing/${id}`;
      const { _createdAt, _updatedAt, _id, _type, ...fields } = await editor.json(
        200,
        "GET",
        address,
      );
      // The form of the panel sends every field.
      await editor.json(200, "PUT", address, { ...fields, name: "Tide chart 2010" });
      const text = await readFile(join(site.root, "flex-objects/thing", `${id}.yaml`), "utf8");
      const expected = (files[id] ?? "").replace("2009", "2010");
      assert.equal(text.slice(0, expected.length), expected);
      const added = text.slice(expected.length).split(/\r?\n/).filter(Boolean);
      assert.deepEqual(
        added.map((line) => line.split(":")[0]),
        ["_createdAt", "_updatedAt"],
      );
      assert.ok(added[0]?.endsWith(String(_createdAt)));
    });
  });
});
