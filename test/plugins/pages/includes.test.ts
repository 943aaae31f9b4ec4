import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { RecordedLog } from "#testing";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const words = definePlugin({
  name: "words",
  version: "1.0.0",
  after: ["pages"],
  setup(site) {
    site.extensions.add("pageIncludes", {
      words: {
        description: "Number of words",
        of: async (entry, view) => (await view.load(entry)).body.trim().split(/\s+/).length,
      },
      summary: { description: "Not possible", of: () => "replaced" },
      nothing: { description: "Nothing", of: () => undefined },
    });
  },
});

const IMAGES: readonly (readonly [image: unknown, url: string | null])[] = [
  ["a b.png", "/content-media/02.blog/i0/a%20b.png"],
  ["./a.png", "/content-media/02.blog/i1/a.png"],
  ["/static/a.png", "/static/a.png"],
  ["https://cdn.test/a.png", "https://cdn.test/a.png"],
  ["javascript:alert(1)", null],
  ["data:image/svg+xml,x", null],
  ["../../secret.png", null],
  ["", null],
  // A text kind: the number is the text in the file.
  [3, "/content-media/02.blog/i8/3"],
  [[3], null],
  [undefined, null],
];

describe("include=", () => {
  let site: TestSite;
  before(async () => {
    const images = IMAGES.map(([image], at) => [
      `content/02.blog/i${at}/default.md`,
      `---\ntitle: I\nimage: ${JSON.stringify(image ?? null)}\n---\nWith an image.`,
    ]);
    site = await bootSite({
      files: {
        "site.yaml": "title: T\n",
        "content/01.home/default.md": "# Home",
        "content/02.blog/default.md": "---\ntitle: Blog\nsummary: All posts.\n---\nOne two three.",
        ...Object.fromEntries(images),
      },
      plugins: ["pages"],
      extraPlugins: [words],
    });
  });
  after(() => site.close());
  const json = async (path: string) => {
    const answer = await site.fetch(path);
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

  it("adds to a page what plugins offer", async () => {
    const { body } = await json("/api/pages/blog?include=words,nothing");
    assert.equal(body["words"], 3);
    assert.equal("nothing" in body, false);
    assert.equal(body["title"], "Blog");
  });

  it("does not let a plugin replace the API's own", async () => {
    assert.equal((await json("/api/pages/blog?include=summary")).body["summary"], "All posts.");
  });

  it("takes the beginning of the text without a summary", async () => {
    const { body } = await json("/api/pages/blog/i0?include=summary");
    assert.equal(body["summary"], "With an image.");
  });

  it("adds to the children of a page", async () => {
    const { body } = await json("/api/pages/blog/children?include=summary");
    const [first] = body["items"] as { summary: string }[];
    assert.equal(first?.summary, "With an image.");
  });

  it("responds 400 to an unknown name, with the nearest one", async () => {
    const { status, body } = await json("/api/pages/blog?include=summry");
    assert.equal(status, 400);
    assert.match(String(body["error"]), /include: unknown name "summry", did you mean summary\?/);
    for (const name of ["__proto__", "constructor", "toString", "a".repeat(5_000)]) {
      assert.equal((await json(`/api/pages/blog?include=${name}`)).status, 400, name.slice(0, 20));
    }
    assert.equal((await json("/api/pages/blog?include[]=summary")).status, 400);
  });

  for (const [at, [image, url]] of IMAGES.entries()) {
    it(`resolves the image ${JSON.stringify(image)} to ${JSON.stringify(url)}`, async () => {
      assert.equal((await json(`/api/pages/blog/i${at}?include=image`)).body["image"], url);
    });
  }
});

describe("include= with a plugin whose include", () => {
  let site: TestSite | undefined;
  afterEach(async () => {
    await site?.close();
    site = undefined;
  });
  async function boot(includes: object, log = new RecordedLog()) {
    site = await bootSite({
      files: { "site.yaml": "title: T\n", "content/01.home/default.md": "# Home" },
      plugins: ["pages"],
      extraPlugins: [
        definePlugin({
          name: "mine",
          version: "1.0.0",
          after: ["pages"],
          setup: ({ extensions }) => extensions.add("pageIncludes", includes as never),
        }),
      ],
      log: log.logger,
      handlerLimitMs: 100,
    });
    return site;
  }

  for (const [what, of, problem] of [
    ["throws", () => assert.fail("no moon"), /no moon/],
    ["rejects", () => Promise.reject(new Error("no moon")), /no moon/],
    ["hangs", () => new Promise(() => undefined), /did not finish within 100 ms/],
    ["gives what JSON cannot have", () => 10n, /expected JSON, received 10/],
  ] as const) {
    it(`${what} responds without it for at most a minute, and the log names plugin and name`, async () => {
      const log = new RecordedLog();
      const { fetch: get } = await boot({ bad: { description: "Bad", of } }, log);
      for (const path of ["/api/pages/?include=bad,summary", "/api/pages?include=bad,summary"]) {
        const response = await get(path);
        const text = await response.text();
        assert.equal(response.status, 200, text);
        assert.match(text, /"summary":/);
        assert.doesNotMatch(text, /"bad":/);
        const seconds = Number(
          /max-age=(\d+)/.exec(response.headers.get("cache-control") ?? "")?.[1] ?? 0,
        );
        assert.ok(seconds <= 60, `${seconds} s`);
      }
      const [failed] = log.of("extension.failed");
      const { plugin, list, key, error } = failed?.fields ?? {};
      assert.deepEqual([plugin, list, key], ["mine", "pageIncludes", "bad"]);
      assert.match(String(error), problem);
    });
  }

  for (const [includes, problem] of [
    [{ words: { description: "Words", of: "x" } }, /words\.of: expected a function, received "x"/],
    [{ words: () => 1 }, /words: expected an object, received a function/],
    [{ words: { of: () => 1 } }, /words\.description: expected a string/],
    [
      { "my words": { description: "Words", of: () => 1 } },
      /expected names of letters and digits, received "my words"/,
    ],
  ] as const) {
    it(`is wrong stops the startup: ${String(problem)}`, async () => {
      await assert.rejects(boot(includes), { code: "ERR_EXTENSION_INVALID", message: problem });
    });
  }
});
