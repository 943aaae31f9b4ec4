import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { definePlugin } from "#kernel";
import { RecordedLog } from "#testing";
import type {} from "../../../../plugins/content/contract.js";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { until } from "../../../support/until.js";

const GOOD = "---\ntitle: About\n---\nOld text\n";
const BROKEN = '---\ntitle: About\ntags: "one" two\ndate: 2024-01-01\n---\nNew text\n';
const FILE = "content/02.about/default.md";

describe("content problems of a running site", () => {
  let site: TestSite;
  let log: RecordedLog;
  const boot = async (mode: "dev" | "production", files: Record<string, string> = {}) => {
    log = new RecordedLog();
    site = await bootSite({
      env: { SITE_ENV: mode },
      files: { "site.yaml": "title: Test\nhealth_token: t\n", [FILE]: GOOD, ...files },
      log: log.logger,
    });
  };
  const content = () => site.site.use("content");
  const rewrite = async (text: string, file = FILE): Promise<void> => {
    await site.write(file, text);
    await content().rebuild();
  };
  const health = async () => {
    const answer = await site.fetch("/health?detailed=true&token=t");
    return (await answer.json()) as { content: unknown; pages: { errors: number } };
  };
  afterEach(() => site.close());

  for (const mode of ["dev", "production"] as const) {
    it(`logs a problem once when it appears, and when it is fixed (${mode})`, async () => {
      await boot(mode);
      assert.deepEqual(log.of("content.problem"), []);
      await rewrite(BROKEN);
      await content().rebuild();
      const [line, ...more] = log.of("content.problem");
      assert.deepEqual(more, []);
      assert.equal(line?.level, "error");
      assert.equal(line.fields["file"], FILE);
      assert.equal(line.fields["code"], "ERR_CONTENT_FRONT_MATTER");
      assert.equal(line.fields["key"], "tags");
      assert.equal(line.fields["line"], 3);
      assert.deepEqual(log.of("content.problem_fixed"), []);
      await rewrite(GOOD);
      const [fixed, ...others] = log.of("content.problem_fixed");
      assert.deepEqual(others, []);
      assert.equal(fixed?.level, "info");
      assert.equal(fixed.fields["file"], FILE);
      assert.equal(fixed.fields["code"], "ERR_CONTENT_FRONT_MATTER");
    });
  }

  it("logs and lists problems of media, those in folders without pages too", async () => {
    await boot("production", {
      "content/02.about/a.md.txt": "x",
      "content/files/b.txt": "x",
      "content/files/b.txt.meta.yml": "alt: B",
    });
    const files = () =>
      content()
        .problems()
        .map(({ sourcePath }) => sourcePath);
    await until(() => files().length === 2);
    assert.deepEqual(files().sort(), ["02.about/a.md.txt", "files/b.txt.meta.yml"]);
    assert.match(JSON.stringify((await health()).content), /a\.md\.txt.*b\.txt\.meta\.yml/);
    assert.equal(log.of("content.problem").length, 2);
    const checked = await site.site.use("check").problems();
    assert.equal(checked.filter(({ sourcePath }) => files().includes(sourcePath)).length, 2);
    await rm(join(site.root, "content/files/b.txt.meta.yml"));
    await content().rebuild();
    await until(() => files().length === 1);
    assert.equal(log.of("content.problem_fixed").length, 1);
    assert.equal(log.of("content.problem").length, 2);
  });

  it("logs a problem of a changed file soon, and lists it at once", async () => {
    await boot("production");
    await site.write(FILE, BROKEN);
    await until(() => content().problems().length === 1);
    assert.equal(log.of("content.problem").length, 1);
    await site.write(FILE, GOOD);
    await until(() => log.of("content.problem_fixed").length === 1);
  });

  it("names line and key of a field whose value is ignored", async () => {
    await boot("production");
    await rewrite("---\ntitle: About\n\ndate: someday\n---\n");
    const [line] = log.of("content.problem");
    assert.equal(line?.level, "warn");
    const { file, line: at, key } = line.fields;
    assert.deepEqual([file, at, key], [FILE, 4, "date"]);
  });

  it("logs a problem as fixed when its file is deleted", async () => {
    await boot("production", { [FILE]: BROKEN });
    assert.equal(log.of("content.problem").length, 1);
    await content().apply([{ op: "delete", path: "02.about/default.md" }]);
    assert.equal(log.of("content.problem_fixed").length, 1);
  });

  it("logs another error in the same file as a new problem", async () => {
    await boot("production", { [FILE]: BROKEN });
    await rewrite("---\ntitle: About\n");
    assert.deepEqual(
      log.of("content.problem").map(({ fields }) => fields["code"]),
      ["ERR_CONTENT_FRONT_MATTER", "ERR_CONTENT_FRONT_MATTER_UNCLOSED"],
    );
    assert.equal(log.of("content.problem_fixed").length, 1);
  });

  it("lists them in the detailed health while they last", async () => {
    await boot("production");
    assert.deepEqual((await health()).content, { problems: [] });
    await rewrite(BROKEN);
    const { content: section, pages } = await health();
    assert.equal(pages.errors, 1);
    const { problems } = section as { problems: Record<string, unknown>[] };
    assert.equal(problems.length, 1);
    assert.equal(problems[0]?.["file"], FILE);
    assert.equal(problems[0]?.["key"], "tags");
    await rewrite(GOOD);
    assert.deepEqual((await health()).content, { problems: [] });
  });
});

describe("a page whose front matter becomes invalid", () => {
  let site: TestSite;
  const boot = async (mode: "dev" | "production", files: Record<string, string> = {}) => {
    site = await bootSite({
      env: { SITE_ENV: mode },
      files: {
        "content/01.home/default.md": "# Home",
        [FILE]: GOOD,
        "content/02.about/01.team/default.md": "---\nslug: people\n---\n# Team",
        ...files,
      },
    });
  };
  const get = async (path: string) => {
    const answer = await site.fetch(path);
    return { status: answer.status, text: await answer.text() };
  };
  const rewrite = async (text: string, file = FILE): Promise<void> => {
    await site.write(file, text);
    await site.site.use("content").rebuild();
  };
  afterEach(() => site.close());

  it("is 404 in production", async () => {
    await boot("production");
    await rewrite(BROKEN);
    assert.equal((await get("/about")).status, 404);
  });

  it("keeps its last good version in dev, with a notice until it is fixed", async () => {
    await boot("dev");
    assert.doesNotMatch((await get("/about")).text, /data-content-problem/);
    await until(async () => {
      await rewrite(GOOD);
      await get("/about");
      await rewrite(BROKEN);
      return (await get("/about")).status === 200;
    });
    const { text } = await get("/about");
    assert.match(text, /Old text/);
    assert.doesNotMatch(text, /New text/);
    assert.match(text, /data-content-problem/);
    assert.match(text, /content\/02\.about\/default\.md:3/);
    assert.match(text, /tags/);
    assert.match(text, /Fix/);
    // Other pages, and those below, stay as they are.
    assert.doesNotMatch((await get("/")).text, /data-content-problem/);
    assert.equal((await get("/about/people")).status, 200);
    await rewrite("---\ntitle: About\n---\nNewest text\n");
    const fixed = await get("/about");
    assert.match(fixed.text, /Newest text/);
    assert.doesNotMatch(fixed.text, /data-content-problem/);
  });

  it("keeps the last good version through further changes of this and other files", async () => {
    await boot("dev");
    await until(async () => {
      await rewrite(GOOD);
      await get("/about");
      await rewrite(BROKEN);
      return (await get("/about")).status === 200;
    });
    await rewrite("---\ntitle: [\n---\nStill broken\n");
    await rewrite("# Another\n", "content/03.more/default.md");
    await rewrite("---\nslug: people\n---\n# The team", "content/02.about/01.team/default.md");
    assert.match((await get("/about")).text, /Old text/);
    assert.match((await get("/about/people")).text, /The team/);
    await site.site.use("content").apply([{ op: "delete", path: "02.about/default.md" }]);
    assert.equal((await get("/about")).status, 404);
  });

  it("lists invalid files on a dev 404 page", async () => {
    await boot("dev", { [FILE]: BROKEN });
    const { status, text } = await get("/about");
    assert.equal(status, 404);
    assert.match(text, /data-content-problem/);
    assert.match(text, /content\/02\.about\/default\.md:3/);
  });

  it("omits an invalid page after a restart: the last good version is not stored", async () => {
    await boot("dev");
    await rewrite(BROKEN);
    assert.ok(site.site.use("content").generation().bySource.has("02.about/default.md"));
    await site.site.close();
    const { root } = site;
    const again = await bootSite({ root, env: { SITE_ENV: "dev" } });
    const { bySource, problems } = again.site.use("content").generation();
    assert.equal(bySource.has("02.about/default.md"), false);
    assert.deepEqual(
      problems.map(({ code }) => code),
      ["ERR_CONTENT_FRONT_MATTER"],
    );
    await again.close();
  });
});

describe("problems that plugins report", () => {
  const right = { sourcePath: "a.yaml", severity: "error", code: "ERR_A", message: "wrong" };
  const log = new RecordedLog();
  let site: TestSite;
  let reported: unknown[] = [];
  before(async () => {
    site = await bootSite({
      files: { "site.yaml": "title: T\n", "content/a.md": "A" },
      plugins: ["content"],
      extraPlugins: [
        definePlugin({
          name: "mine",
          version: "1.0.0",
          after: ["content"],
          setup: ({ extensions }) => extensions.add("pluginProblems", () => reported as never),
        }),
      ],
      log: log.logger,
    });
  });
  after(() => site.close());

  for (const [wrong, problem] of [
    [{ severity: "fatal" }, 'severity: expected "error" or "warning", received "fatal"'],
    [{ severity: undefined }, 'severity: expected "error" or "warning", received nothing'],
    [{ sourcePath: 7 }, "sourcePath: expected a string, received 7"],
    [{ line: "3" }, 'line: expected a number or nothing, received "3"'],
    [{ key: 4 }, "key: expected a string or nothing, received 4"],
    [{ value: {} }, "value: expected a string or nothing, received an empty object"],
    [{ fix: ["x"] }, "fix: expected a string or nothing, received a list of 1"],
  ] as const) {
    it(`are left out when one is wrong, and the log names the plugin: ${problem}`, () => {
      reported = [right, { ...right, ...wrong }];
      assert.deepEqual(site.site.use("content").problems(), []);
      const { plugin, list, error } = log.of("extension.failed").at(-1)?.fields ?? {};
      assert.deepEqual([plugin, list], ["mine", "pluginProblems"]);
      assert.ok(String(error).includes(`1.${problem}`), String(error));
      reported = [right];
      assert.equal(site.site.use("content").problems().length, 1);
    });
  }
});
