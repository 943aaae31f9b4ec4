import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestSite } from "../../support/sites/boot-site.js";
import { bootEmpty, contentOf, runImport } from "../../support/sites/import-site.js";
import { wxr, wxrItem } from "../../support/content/wxr.js";

const run = promisify(execFile);
const ghost = (title: string): string =>
  JSON.stringify({
    db: [{ data: { posts: [{ id: 1, title, slug: "one", status: "published" }] } }],
  });

/** A valid file of each source with a text that is not ASCII. */
const VALID: Readonly<Record<string, string>> = {
  wordpress: wxr(wxrItem({ id: 1, title: "Größe" })),
  ghost: ghost("Größe"),
  csv: "name\nGröße\n",
  json: '[{ "name": "Größe" }]',
};
const TYPE = "title: Boat\nfields:\n  name: { type: text }\n";

describe("site import of hostile files", () => {
  /** The site of sources that are rejected. */
  let shared: TestSite;
  let site: TestSite;
  const open = (): Promise<TestSite> => bootEmpty({ "flex-objects/boat.yaml": TYPE });
  const boot = async (): Promise<void> => void (site = await open());
  before(async () => void (shared = await open()));
  after(() => shared.close());
  beforeEach(() => void (site = shared));
  afterEach(async () => {
    if (site !== shared) return site.close();
    await run("rm", ["-rf", join(site.root, "source")]);
  });

  const imported = (source: string) =>
    runImport(site, [source, "source"], { media: false, type: "boat", json: true });
  const written = async (): Promise<string[]> => [
    ...(await readdir(join(site.root, "content"))).filter((name) => name !== ".keep"),
    ...(await readdir(join(site.root, "flex-objects"))).filter((name) => name !== "boat.yaml"),
  ];

  for (const [source, text] of Object.entries(VALID)) {
    const cut = Buffer.from(text.replaceAll("UTF-8", "utf-8"));
    for (const [what, bytes] of [
      ["bytes that are not UTF-8", Buffer.from(text, "latin1")],
      ["a broken character at the end", Buffer.concat([cut, Buffer.from([0xc3])])],
      ["half a UTF-16 character", Buffer.from(`\uFEFF${text}`, "utf16le").subarray(0, -1)],
    ] as const) {
      it(`rejects ${what} in ${source} with file and line, and writes nothing`, async () => {
        await writeFile(join(site.root, "source"), bytes);
        const { code, errors } = await imported(source);
        assert.deepEqual([code, await written()], [1, []]);
        assert.match(errors.join("\n"), /^✗ source:\d+: bytes that are not utf-(?:8|16le)/);
      });
    }

    it(`reads UTF-16 with a mark in ${source}`, async () => {
      await boot();
      await writeFile(join(site.root, "source"), Buffer.from(`\uFEFF${text}`, "utf16le"));
      const { code, errors } = await imported(source);
      assert.deepEqual([code, errors], [0, []]);
      assert.ok((await written()).length > 0);
    });

    it(`rejects a folder, a pipe and a file that never ends as ${source}`, async () => {
      for (const make of [
        () => mkdir(join(site.root, "source")),
        () => run("mkfifo", [join(site.root, "source")]),
        () => symlink("/dev/zero", join(site.root, "source")),
      ]) {
        await make();
        const { code, errors } = await imported(source);
        assert.deepEqual([code, await written()], [1, []], errors.join());
        assert.match(errors.join("\n"), /^✗ source/);
        await run("rm", ["-rf", join(site.root, "source")]);
      }
    });

    it(`rejects nothing but zeros as ${source}`, async () => {
      await writeFile(join(site.root, "source"), Buffer.alloc(2_000_000));
      const { code } = await imported(source);
      assert.equal(code === 1 || source === "csv", true);
      assert.deepEqual(await written(), []);
    });
  }

  for (const [what, source, text] of [
    ["nested without end", "json", "[".repeat(200_000)],
    ["nested without end", "ghost", `{"db":${"[".repeat(200_000)}`],
    ["a row without end", "csv", `name\n"${"x".repeat(5_000_000)}`],
    ["rows of unequal length", "csv", "name\na,b\n"],
  ] as const) {
    it(`rejects ${what} in ${source}`, async () => {
      await writeFile(join(site.root, "source"), text);
      const { code, errors } = await imported(source);
      assert.deepEqual([code, await written()], [1, []]);
      assert.match(errors.join("\n"), /^✗ source:\d+: invalid (?:JSON|CSV)/);
    });
  }

  it("takes names of properties that objects have as plain names", async () => {
    await boot();
    await writeFile(join(site.root, "source"), '[{ "__proto__": { "x": 1 }, "name": "a" }]');
    const { code } = await imported("json");
    assert.equal(code, 0);
    assert.equal("x" in {}, false);
  });

  it("follows no links beside an export of Ghost", async () => {
    await boot();
    const outside = {
      "outside/images/a.png": "secret",
      "outside/members.csv": "email\na@b.example\n",
    };
    for (const [path, text] of Object.entries(outside)) await site.write(path, text);
    await site.write("source/export.json", ghost("One"));
    await symlink(join(site.root, "outside"), join(site.root, "source/content"));
    await symlink(join(site.root, "outside/members.csv"), join(site.root, "source/members.csv"));
    const { code, json } = await imported("ghost");
    assert.equal(code, 0);
    assert.match(JSON.stringify(json), /"media":\{"created":0[^}]*\},"accounts":\{"created":0/);
    assert.match(await contentOf(site, "90.blog/one/post.md"), /title: One/);
  });

  it("writes redirects for names with spaces and percent signs", async () => {
    await boot();
    const link = (path: string): string => `https://old.example/${path}/`;
    const items = [
      wxrItem({ id: 1, title: "One", link: link("my%20post") }),
      wxrItem({ id: 2, title: "Two", link: link("100%25") }),
      wxrItem({ id: 3, title: "Three", link: link("what%3F") }),
      wxrItem({ id: 4, title: "Four", link: link("a%5Cb%0Ac") }),
    ];
    await writeFile(join(site.root, "source"), wxr(...items));
    const { code } = await imported("wordpress");
    assert.equal(code, 0);
    for (const [from, to] of [
      ["/my%20post", "/blog/one"],
      ["/100%25", "/blog/two"],
      ["/what%3F", "/blog/three"],
    ] as const)
      assert.equal((await site.fetch(from)).headers.get("location"), to, from);
  });
});
