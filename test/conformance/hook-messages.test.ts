import assert from "node:assert/strict";
import { definePlugin, type AnyHook, type HookContext } from "#kernel";
import { RecordedLog } from "#testing";
import { bootSite, type TestSite } from "../support/sites/boot-site.js";

const files = {
  "site.yaml": "title: Tea\n",
  "content/01.home/default.md": "---\ntitle: Home\n---\n\n![A](a.svg)\n",
  "content/01.home/a.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
  "content/02.blog/blog.md":
    "---\ntitle: Blog\ncollection: { items: '@self.children' }\n---\n\nPosts.\n",
  "content/02.blog/01.one/post.md": "---\ntitle: One\ndate: 2026-05-01\n---\n\nText.\n",
};

/** A value of another kind. */
const wrongFor = (value: unknown): unknown => (typeof value === "number" ? "wrong" : 42n);

/** Fields that a payload need not have. */
const OPTIONAL = new Set(["onMarkdownProcessed.trusted"]);

/** More than any payload has. */
const MAX_FIELDS = 6;

type Payload = Readonly<Record<string, unknown>>;

describe("the log line of a wrong payload", function () {
  let site: TestSite;
  const log = new RecordedLog();
  const expected: { hook: string; plugin: string; pattern: RegExp }[] = [];
  const seen = new Set<string>();
  let transforms: string[] = [];

  before(async () => {
    // A plugin each for every mistake, so that each line belongs to one.
    const plugin = (name: string, change: (data: Payload, hook: string) => Payload | null) =>
      definePlugin({
        name,
        version: "1.0.0",
        after: ["render", "markdown", "content", "security", "pages", "flex"],
        setup({ hooks }) {
          for (const [hook, kind] of hooks.declared()) {
            if (kind !== "transform") continue;
            const done = { isDone: false };
            hooks.on(hook as AnyHook, (ctx: HookContext<AnyHook>) => {
              if (done.isDone) return;
              done.isDone = true;
              seen.add(hook);
              const next = change(Object(ctx.data), hook);
              if (next !== null) ctx.setData(next as never);
            });
          }
        },
      });
    const nth = Array.from({ length: MAX_FIELDS }, (_, at) => at);
    const expectOf = (plugin: string, hook: string, pattern: RegExp): void =>
      void expected.push({ hook, plugin, pattern });
    const wrong = nth.map((at) =>
      plugin(`wrong-${at}`, (data, hook) => {
        const field = Object.keys(data)[at];
        if (field === undefined) return null;
        const value = wrongFor(data[field]);
        const shown = typeof value === "string" ? '"wrong"' : "42";
        expectOf(
          `wrong-${at}`,
          hook,
          new RegExp(`^wrong payload of ${hook}: ${field}: expected .*, received ${shown}`),
        );
        return { ...data, [field]: value };
      }),
    );
    const missing = nth.map((at) =>
      plugin(`missing-${at}`, (data, hook) => {
        const field = Object.keys(data)[at];
        if (field === undefined || OPTIONAL.has(`${hook}.${field}`)) return null;
        expectOf(
          `missing-${at}`,
          hook,
          new RegExp(`^wrong payload of ${hook}: ${field}: expected .*, received nothing`),
        );
        const { [field]: _removed, ...others } = data;
        return others;
      }),
    );
    const other = plugin("other", (data, hook) => {
      const [field = ""] = Object.keys(data);
      const isOwn = Object.hasOwn(data, "html");
      expectOf(
        "other",
        hook,
        isOwn
          ? new RegExp(`^wrong payload of ${hook}: html: expected a string, received 42`)
          : new RegExp(`^wrong payload of ${hook}: .*received nothing; .*html; .*${field}`, "s"),
      );
      return { html: 42 };
    });
    site = await bootSite({ files, extraPlugins: [...wrong, ...missing, other], log: log.logger });
    transforms = [...site.site.context("test").hooks.declared()].flatMap(([name, kind]) =>
      kind === "transform" ? [name] : [],
    );
    for (const path of ["/", "/blog", "/api/pages/blog", "/api/pages?include=html"])
      await (await site.fetch(path)).text();
  });
  after(() => site.close());

  it("names plugin, hook, field, the value received and the one expected", () => {
    assert.deepEqual([...seen].toSorted(), transforms.toSorted());
    const lines = log.of("hook.failed").map(({ fields }) => fields);
    for (const { hook, plugin, pattern } of expected) {
      const line = lines.find((one) => one["plugin"] === plugin && one["hook"] === hook);
      assert.match(String(line?.["error"]), pattern, `${plugin} ${hook}`);
    }
  });

  it("has the code of the error, and what to do", () => {
    const lines = log.of("hook.failed");
    assert.ok(lines.length > 0);
    for (const { fields } of lines) {
      assert.equal(fields["code"], "ERR_HOOK_VALUE");
      assert.match(String(fields["fix"]), /setData/);
      assert.doesNotMatch(String(fields["at"]), /node_modules/);
    }
  });
});
