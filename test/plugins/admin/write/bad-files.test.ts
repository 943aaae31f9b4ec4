import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { definePlugin } from "#kernel";
import type {} from "../../../../plugins/content/contract.js";
import {
  adminPlugins,
  bootAdmin,
  type AdminClient,
  type AdminSite,
} from "../../../support/sites/admin-site.js";

/** YAML of people and programs that is unusual, damaged or hostile. */
const BAD: Readonly<Record<string, string>> = {
  long: `title: T\nlong: ${"x".repeat(4_900_000)}\n`,
  keys: `${Array.from({ length: 10_000 }, (_, at) => `key${at}: ${at}`).join("\n")}\ntitle: T\n`,
  names: "title: T\n1: a\n1.10: b\n2026-01-02: c\ntrue: d\nconstructor: e\nprototype: f\n",
  proto: "title: T\n__proto__: { polluted: true }\n",
  anchors: "base: &x { a: 1 }\nmerged:\n  <<: *x\ntitle: &t T\nother: *t\n",
  list: "- title: T\n- b\n",
  scalar: "only a text\n",
  duplicate: "title: T\na: 1\na: 2\n",
  tabs: "title: T\nmap:\n\ta: 1\n",
  unclosed: 'title: "T\na: 1\n',
  bomb: `title: T\na: &a [1,1,1,1,1,1,1,1,1]\n${Array.from(
    { length: 8 },
    (_, at) =>
      `b${at}: &b${at} [${Array(9)
        .fill(at === 0 ? "*a" : `*b${at - 1}`)
        .join(", ")}]`,
  ).join("\n")}\n`,
  bom: "\uFEFFtitle: T\nkept: 01234\n",
  "merge at the top": "base: &x { a: 1, title: B }\n<<: *x\ntitle: T\n",
  deep: `title: T\ndeep: ${"[".repeat(5_000)}${"]".repeat(5_000)}\n`,
};
/** Keys that a writer below names. */
const NAMED = /^(?:title|taxonomy|status|published|publish_date|alt|_\w+)\b|^ +(?:tag|- )/;
/** What replaces a file as a whole. */
const WHOLE = "---\ntitle: New\n---\nText.\n";
/** Processor time of a change, as a multiple of what parsing 10,000 keys takes on this machine. */
const MAX_COST = 8;
/** Configuration is parsed several times: as it is, after the change, and with all other files. */
const MAX_CONFIG_COST = 32;
/** Files that a site has once: each test writes them before, and has the good ones back after. */
const SHARED: ReadonlyMap<Writer["file"], string> = new Map([
  ["site", "title: T\n"],
  ["synonyms", "stop: [the]\n"],
]);

interface Writer {
  readonly file: "page" | "sidecar" | "record" | "site" | "synonyms";
  send(name: string, client: AdminClient): Promise<Response>;
}
const batch = (client: AdminClient, operation: object): Promise<Response> =>
  client.send("POST", "/admin/api/batch", { operations: [operation] });
const pageOf = (name: string): string => `05.bad/${name}/default.md`;
const WRITERS: Readonly<Record<string, Writer>> = {
  "a save of front matter": {
    file: "page",
    send: (name, client) =>
      client.send("PUT", `/admin/api/pages/${pageOf(name)}`, { frontmatter: { title: "New" } }),
  },
  "a save of the text": {
    file: "page",
    send: (name, client) =>
      client.send("PUT", `/admin/api/pages/${pageOf(name)}`, { body: "New text.\n" }),
  },
  "a batch that sets a key": {
    file: "page",
    send: (name, client) =>
      batch(client, { op: "set", path: pageOf(name), frontmatter: { title: "New" } }),
  },
  "a batch that tags": {
    file: "page",
    send: (name, client) => batch(client, { op: "tag", path: pageOf(name), value: "sea" }),
  },
  "a change of status": {
    file: "page",
    send: (name, client) =>
      client.send("POST", "/admin/api/workflow/transition", {
        path: pageOf(name),
        to: "archived",
      }),
  },
  "a schedule": {
    file: "page",
    send: (name, client) =>
      client.send("POST", "/admin/api/workflow/schedule", {
        path: pageOf(name),
        action: "unpublish",
        scheduledAt: "2999-01-02T08:00:00Z",
      }),
  },
  "a description of a file": {
    file: "sidecar",
    send: (name, client) =>
      client.send("PUT", "/admin/api/media/meta", {
        path: `05.bad/${name}/a.txt`,
        meta: { alt: "New" },
      }),
  },
  "a save of the whole file": {
    file: "page",
    send: (name, client) =>
      client.send("PUT", `/admin/api/pages/${pageOf(name)}`, {
        content: WHOLE,
      }),
  },
  "a change of settings": {
    file: "site",
    send: (_, client) =>
      client.send("PATCH", "/admin/api/settings/site", {
        changes: [{ key: "title", value: "New" }],
      }),
  },
  "a new redirect": {
    file: "site",
    send: (_, client) =>
      client.send("POST", "/admin/api/redirects", { from: "/new", location: "/" }),
  },
  "a change of synonyms": {
    file: "synonyms",
    send: (_, client) =>
      client.send("PUT", "/admin/api/search/synonyms", {
        lang: "",
        lists: { groups: [["boat", "ship"]], one_way: {}, stop: [] },
      }),
  },
  "a save of a record": {
    file: "record",
    send: (name, client) =>
      client.send("PUT", `/admin/api/flex/thing/${name}`, { data: { title: "New" } }),
  },
};

describe("writers and files that they cannot change", () => {
  let site: AdminSite;
  let client: AdminClient;
  let unitMs = Infinity;
  /** Called while a change is checked. */
  let meanwhile: () => void = () => undefined;
  const relativePath = (file: Writer["file"], name: string): string =>
    ({
      page: `content/${pageOf(name)}`,
      sidecar: `content/05.bad/${name}/a.txt.meta.yaml`,
      record: `flex-objects/thing/${name}.yaml`,
      site: "site.yaml",
      synonyms: "search/synonyms.yaml",
    })[file];
  const pathOf = (file: Writer["file"], name: string): string =>
    join(site.root, relativePath(file, name));
  /** Each test has files of its own: nothing waits for the index. */
  const ownName = (writer: string, name: string): string =>
    `${name}-${Object.keys(WRITERS).indexOf(writer)}`;
  const textOf = (file: Writer["file"], yaml: string): string =>
    file === "page" ? yaml.replace(/^(\uFEFF?)/, "$1---\n") + "---\nText.\n" : yaml;

  before(async () => {
    for (let round = 0; round < 3; round += 1) {
      const begun = process.cpuUsage();
      parse(BAD["keys"] ?? "");
      unitMs = Math.min(unitMs, msSince(begun));
    }
    const checking = definePlugin({
      name: "checking",
      version: "1.0.0",
      after: ["content"],
      setup: (context) =>
        context.use("content").addFieldKind("checking", {
          control: "text",
          check: () => {
            meanwhile();
            return null;
          },
          jsonSchema: () => ({}),
        }),
    });
    const others = Object.entries(WRITERS).filter(([, { file }]) => !SHARED.has(file));
    const files = others.flatMap(([writer, { file }]) =>
      Object.entries(BAD).flatMap(([name, yaml]) => {
        const own = ownName(writer, name);
        const path = relativePath(file, own);
        const bad = [path, textOf(file, yaml)];
        return file === "sidecar" ? [bad, [path.replace(".meta.yaml", ""), "A file."]] : [bad];
      }),
    );
    site = await bootAdmin({
      extraPlugins: [checking],
      plugins: [...adminPlugins, "render"],
      files: {
        ...Object.fromEntries(files),
        "flex-objects/thing.yaml":
          "fields:\n  title: { type: text }\n  checked: { type: checking }\n",
        "blueprints/checked.yaml": "fields:\n  checked: { type: checking }\n",
        "content/06.checked/checked.md": "---\ntitle: T\nchecked: 1\n---\nText.\n",
        "flex-objects/thing/checked.yaml": "title: T\nchecked: 1\n",
      },
    });
    client = await site.as("admin");
  });
  after(() => site.close());

  for (const [writer, { file, send }] of Object.entries(WRITERS)) {
    for (const [name, yaml] of Object.entries(BAD)) {
      it(`${writer}, ${name}: changes what it names, or nothing and says why`, async () => {
        const own = ownName(writer, name);
        const path = pathOf(file, own);
        const text = textOf(file, yaml);
        if (SHARED.has(file)) await site.write(relativePath(file, own), text);
        const before = process.cpuUsage();
        const response = await send(own, client);
        const cost = msSince(before) / unitMs;
        const answer = await response.text();
        assert.ok(response.status < 500, `${response.status} ${answer.slice(0, 300)}`);
        assert.ok(cost < (file === "site" ? MAX_CONFIG_COST : MAX_COST), `${cost} units`);
        const after = await readFile(path, "utf8");
        const good = SHARED.get(file);
        if (good !== undefined) await site.write(relativePath(file, own), good);
        const isDone = response.ok && !/"status":"error"/.test(answer);
        if (!isDone) {
          assert.equal(after === text, true, "the file is as it was");
          assert.match(
            answer,
            /line"?:? ?\d+|bytes|characters|not found|no file|alias/i,
            answer.slice(0, 300),
          );
          return;
        }
        if (writer === "a save of the whole file") {
          assert.equal(after, WHOLE);
          return;
        }
        const isOther = (line: string): boolean =>
          !NAMED.test(line.replace("\uFEFF", "")) && line !== "Text.";
        const kept = after.split("\n");
        let at = 0;
        for (const line of text.split("\n").filter(isOther)) {
          at = kept.indexOf(line, at);
          assert.notEqual(at, -1, `line ${line.slice(0, 80)} is lost`);
          at += 1;
        }
      });
    }
  }

  it("responds 409 when another program saves a page or record during the check", async () => {
    for (const [path, url, body] of [
      [
        "content/06.checked/checked.md",
        "pages/06.checked/checked.md",
        { frontmatter: { title: "New" } },
      ],
      [
        "flex-objects/thing/checked.yaml",
        "flex/thing/checked",
        { data: { title: "New", checked: 1 } },
      ],
    ] as const) {
      const file = join(site.root, path);
      const other = (await readFile(file, "utf8")).replace("title: T", "title: Other");
      meanwhile = () => writeFileSync(file, other);
      const response = await client.send("PUT", `/admin/api/${url}`, body);
      meanwhile = () => undefined;
      assert.equal(response.status, 409, await response.text());
      assert.equal(await readFile(file, "utf8"), other);
    }
  });
});

/** Processor time of this process since then. */
function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
