import assert from "node:assert/strict";
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { definePlugin, type Plugin } from "#kernel";
import type { Viewer } from "../../../../plugins/content/contract.js";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { getLine, rawRequest } from "../../../support/servers/raw-request.js";
import { picture } from "../../../support/content/pictures.js";

const canary = "canary-7f3a";
const selection = ["content", "media"];

/** Sets the user of a request. */
function viewerPlugin(): Plugin {
  return definePlugin({
    name: "test-viewer",
    version: "1.0.0",
    setup(site) {
      site.http.use("identity", (req, _res, next) => {
        const roles = req.headers["x-test-roles"];
        const viewer: Viewer = { roles: [String(roles)], seesUnpublished: false };
        if (roles !== undefined) req.ctx.state.viewer = viewer;
        next();
      });
    },
  });
}

describe("media routes", () => {
  let site: TestSite;
  let outside: string;

  before(async () => {
    outside = await mkdtemp(join(tmpdir(), "site-outside-"));
    await writeFile(join(outside, "secret.jpg"), canary);
    site = await bootSite({
      plugins: selection,
      extraPlugins: [viewerPlugin()],
      files: {
        "content/01.home/default.md": "# Home",
        "content/01.home/hero.png": await picture(40, 30),
        "content/02.blog/default.md": "# Blog",
        "content/02.blog/01.post/default.md": "# Post",
        "content/02.blog/01.post/cover.png": await picture(800, 600),
        "content/02.blog/01.post/cover.png.meta.yaml": "alt: x\nfocal_point: [0, 0]\n",
        "content/02.blog/01.post/notes.txt": "some notes",
        "content/02.blog/01.post/logo.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
        "content/02.blog/01.post/x.html": "<script>1</script>",
        "content/02.blog/01.post/data.bin7": "bytes",
        "content/02.blog/01.post/empty.txt": "",
        "content/02.blog/01.post/broken.jpg": "no image",
        "content/02.blog/01.post/a b%ü#?.txt": "odd name",
        "content/02.blog/01.post/film.mp4": Buffer.alloc(3_000_000, "film"),
        "content/02.blog/01.post/backup.txt~": canary,
        "content/02.blog/01.post/.hidden.txt": canary,
        "content/.env": canary,
        "content/.git/config": canary,
        "content/_drafts/draft.jpg": canary,
        "content/03.draft/default.md": "---\npublished: false\n---\n# Draft",
        "content/03.draft/secret.txt": canary,
        "content/04.members/default.md": "---\nroles: member\n---\n# Members",
        "content/04.members/inside.txt": "for members",
        "content/04.members/inside.png": await picture(400, 300),
      },
    });
    await symlink(outside, join(site.root, "content", "evil-link"));
    await symlink(join(outside, "secret.jpg"), join(site.root, "content/02.blog/01.post/evil.jpg"));
  });
  after(async () => {
    await site.close();
    await rm(outside, { recursive: true });
  });

  const post = "/content-media/02.blog/01.post";

  describe("originals", () => {
    it("are served under the folder's own name, its clean name, and the page's address", async () => {
      for (const base of [post, "/content-media/blog/post", "/blog/post"]) {
        const response = await site.fetch(`${base}/notes.txt`);
        assert.equal(response.status, 200, base);
        assert.equal(await response.text(), "some notes");
        assert.equal(response.headers.get("content-type"), "text/plain; charset=utf-8");
        assert.equal(response.headers.get("cache-control"), "public, max-age=3600");
        assert.equal(response.headers.get("x-content-type-options"), "nosniff");
        assert.equal(response.headers.get("content-length"), "10");
      }
      assert.equal((await site.fetch("/hero.png")).status, 200);
    });

    it("can have names of any kind", async () => {
      const name = encodeURIComponent("a b%ü#?.txt");
      for (const base of [post, "/blog/post"]) {
        const response = await site.fetch(`${base}/${name}`);
        assert.equal(await response.text(), "odd name");
      }
    });

    it("respond 304 to their ETag, small and large, cached or not", async () => {
      for (const name of ["notes.txt", "film.mp4", "notes.txt"]) {
        const first = await site.fetch(`${post}/${name}`);
        await first.arrayBuffer();
        const etag = first.headers.get("etag") ?? "";
        assert.match(etag, /^"[\w-]+"$/);
        const second = await site.fetch(`${post}/${name}`, { headers: { "if-none-match": etag } });
        assert.equal(second.status, 304);
        assert.equal(await second.text(), "");
        assert.equal(second.headers.get("etag"), etag);
        assert.equal(second.headers.get("cache-control"), "public, max-age=3600");
      }
    });

    it("respond to HEAD with the headers of GET", async () => {
      for (const name of ["notes.txt", "film.mp4", "empty.txt"]) {
        const get = await site.fetch(`${post}/${name}`);
        await get.arrayBuffer();
        const headers = { range: "bytes=2-4" };
        const head = await site.fetch(`${post}/${name}`, { method: "HEAD", headers });
        assert.equal(head.status, 200);
        for (const header of ["content-length", "etag", "content-type", "accept-ranges"]) {
          assert.equal(head.headers.get(header), get.headers.get(header), header);
        }
      }
    });

    for (const name of ["notes.txt", "film.mp4"]) {
      it(`send ranges of ${name}`, async () => {
        const whole = Buffer.from(await (await site.fetch(`${post}/${name}`)).arrayBuffer());
        const get = (range: string, more = {}) =>
          site.fetch(`${post}/${name}`, { headers: { range, ...more } });
        const part = await get("bytes=2-5");
        assert.equal(part.status, 206);
        assert.equal(part.headers.get("content-range"), `bytes 2-5/${whole.length}`);
        assert.deepEqual(Buffer.from(await part.arrayBuffer()), whole.subarray(2, 6));
        const end = await get("bytes=-3");
        assert.deepEqual(Buffer.from(await end.arrayBuffer()), whole.subarray(-3));
        const beyond = await get(`bytes=${whole.length}-`);
        assert.equal(beyond.status, 416);
        assert.equal(beyond.headers.get("content-range"), `bytes */${whole.length}`);
        const stale = await get("bytes=2-5", { "if-range": '"other"' });
        assert.equal(stale.status, 200);
        await stale.arrayBuffer();
        const fresh = await get("bytes=2-5", { "if-range": part.headers.get("etag") });
        assert.equal(fresh.status, 206);
        await fresh.arrayBuffer();
        const many = await get(`bytes=${"0-,".repeat(1000)}0-`);
        assert.equal(many.status, 200, "I18");
        await many.arrayBuffer();
      });
    }

    it("are sent in a sandbox for SVG and HTML", async () => {
      for (const name of ["logo.svg", "x.html"]) {
        const { headers } = await site.fetch(`${post}/${name}`);
        assert.equal(
          headers.get("content-security-policy"),
          "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        );
        assert.equal(headers.get("x-content-type-options"), "nosniff");
      }
    });

    it("are downloads for unknown types, without type detection", async () => {
      const unknown = await site.fetch(`${post}/data.bin7`);
      assert.equal(unknown.headers.get("content-type"), "application/octet-stream");
      assert.match(unknown.headers.get("content-disposition") ?? "", /^attachment/);
      const lying = await site.fetch(`${post}/broken.jpg`);
      assert.equal(lying.headers.get("content-type"), "image/jpeg");
    });

    it("reflect a change of the file at once, cached or not", async () => {
      await site.write("content/02.blog/01.post/change.txt", "one");
      assert.equal(await (await site.fetch(`${post}/change.txt`)).text(), "one");
      assert.equal(await (await site.fetch(`${post}/change.txt`)).text(), "one");
      await site.write("content/02.blog/01.post/change.txt", "two");
      assert.equal(await (await site.fetch(`${post}/change.txt`)).text(), "two");
      await rm(join(site.root, "content/02.blog/01.post/change.txt"));
      assert.equal((await site.fetch(`${post}/change.txt`)).status, 404);
    });

    it("follow the name of their folder", async () => {
      await site.write("content/05.moved/note.txt", "note");
      await site.write("content/05.moved/default.md", "# Moved");
      const at = async (folder: string): Promise<number> => {
        const response = await site.fetch(`/content-media/${folder}/note.txt`);
        await response.arrayBuffer();
        return response.status;
      };
      const content = site.site.use("content");
      await content.rebuild();
      assert.deepEqual([await at("moved"), await at("05.moved")], [200, 200]);
      await rename(join(site.root, "content/05.moved"), join(site.root, "content/06.elsewhere"));
      await content.rebuild();
      assert.deepEqual([await at("moved"), await at("elsewhere")], [404, 200]);
    });

    it("reject methods that modify", async () => {
      const response = await site.fetch(`${post}/notes.txt`, { method: "DELETE" });
      assert.equal(response.status, 405);
    });
  });

  describe("files that are not served", () => {
    const paths = [
      `${post}/default.md`,
      `${post}/cover.png.meta.yaml`,
      `${post}/.hidden.txt`,
      `${post}/backup.txt~`,
      `${post}/none.jpg`,
      `${post}/`,
      post,
      `${post}/notes.txt/`,
      "/content-media/",
      "/content-media/.env",
      "/content-media/.git/config",
      "/content-media/_drafts/draft.jpg",
      "/content-media/drafts/draft.jpg",
      "/content-media/evil-link/secret.jpg",
      "/evil-link/secret.jpg",
      `${post}/evil.jpg`,
      "/blog/post/evil.jpg",
      "/content-media/../site.yaml",
      "/content-media/../../../../etc/passwd",
      "/content-media/%2e%2e%2fsite.yaml",
      "/content-media/..%2f..%2fetc%2fpasswd",
      "/content-media/%252e%252e%252fsite.yaml",
      "/content-media/..%5csite.yaml",
      "/content-media/%2fetc/passwd",
      "/content-media//etc/passwd",
      "/content-media/02.blog//01.post/notes.txt",
      "/content-media/02.blog/01.post%5cnotes.txt",
      "/content-media/02.blog/01.post/notes%0a.txt",
      "/content-media/C:%5cwindows",
      "/content-media/02.blog/01.post/notes.txt%00.jpg",
      "/content-media/__proto__/x.jpg",
      "/content-media/02.blog/01.post/DEFAULT.MD",
      "/content-media/02.blog/01.post/default.md.",
    ];
    it("are answered without their bytes", async () => {
      for (const path of paths) {
        const { status, body } = await rawRequest(site.url, getLine(path));
        assert.ok(status === 404 || status === 400, `${status} ${path}`);
        assert.doesNotMatch(body, /canary|root:|title:/, path);
      }
    });

    it("are reported in JSON below /content-media", async () => {
      const response = await site.fetch("/content-media/none.jpg");
      assert.deepEqual(await response.json(), { error: "Not found" });
    });
  });

  describe("media of restricted pages", () => {
    it("is indistinguishable from missing files for other visitors", async () => {
      const absent = await site.fetch("/content-media/none/none.txt");
      const text = await absent.text();
      for (const path of [
        "/content-media/04.members/inside.txt",
        "/content-media/members/inside.txt",
        "/content-media/04.members/inside.png?width=320",
        "/content-media/04.members/inside.png?width=321",
        "/content-media/03.draft/secret.txt",
      ]) {
        const response = await site.fetch(path);
        assert.equal(response.status, 404, path);
        assert.equal(await response.text(), text);
      }
      assert.equal((await site.fetch("/members/inside.txt")).status, 404);
      assert.equal((await site.fetch("/draft/secret.txt")).status, 404);
    });

    it("is served to permitted visitors, and not cached for others", async () => {
      const headers = { "x-test-roles": "member" };
      for (const path of [
        "/content-media/04.members/inside.txt",
        "/members/inside.txt",
        "/content-media/04.members/inside.png?width=320",
      ]) {
        for (const _ of [1, 2]) {
          const response = await site.fetch(path, { headers });
          assert.equal(response.status, 200, path);
          assert.equal(response.headers.get("cache-control"), "private, no-store");
          await response.arrayBuffer();
        }
        assert.equal((await site.fetch(path)).status, 404);
        assert.equal(
          (await site.fetch(path, { headers: { "x-test-roles": "other" } })).status,
          404,
        );
      }
    });
  });

  describe("variants", () => {
    it("has the format that Accept names with format=auto, also from the cache", async () => {
      const address = "/blog/post/cover.png?width=320&format=auto";
      const wanted: readonly (readonly [accept: string, type: string])[] = [
        ["image/avif,image/webp,*/*", "image/avif"],
        ["image/webp,*/*", "image/webp"],
        ["image/avif;q=0, image/webp", "image/webp"],
        ["*/*", "image/png"],
      ];
      for (const [accept, type] of [...wanted, ...wanted]) {
        const answer = await site.fetch(address, { headers: { accept } });
        assert.equal(answer.headers.get("content-type"), type, accept);
        assert.match(answer.headers.get("vary") ?? "", /(?:^|, )Accept(?:,|$)/);
      }
      const fixed = await site.fetch("/blog/post/cover.png?width=320&format=webp");
      assert.doesNotMatch(fixed.headers.get("vary") ?? "", /Accept(?!-)/);
    });

    it("have the specified headers, on a miss and on a hit", async () => {
      for (const outcome of ["processed", "cache-hit", "cache-hit"]) {
        const response = await site.fetch(`${post}/cover.png?width=640&format=webp`);
        assert.equal(response.status, 200);
        assert.equal(response.headers.get("content-type"), "image/webp");
        assert.equal(response.headers.get("cache-control"), "public, max-age=31536000, immutable");
        assert.equal(response.headers.get("x-site-image"), outcome);
        assert.equal(response.headers.get("x-site-image-width"), "640");
        assert.equal(response.headers.get("x-site-image-height"), "480");
        assert.equal(response.headers.get("x-content-type-options"), "nosniff");
        assert.equal(Buffer.from(await response.arrayBuffer()).toString("latin1", 8, 12), "WEBP");
      }
    });

    it("are the same under every address of the file", async () => {
      const etags = new Set<string | null>();
      for (const base of [post, "/content-media/blog/post", "/blog/post"]) {
        const response = await site.fetch(`${base}/cover.png?w=320&q=80`);
        assert.equal(response.status, 200, base);
        etags.add(response.headers.get("etag"));
        await response.arrayBuffer();
      }
      assert.equal(etags.size, 1);
    });

    it("reject invalid parameters with 400, naming the parameter", async () => {
      for (const [query, name] of [
        ["width=321", "width"],
        ["h=99999", "height"],
        ["w=320&w=640", "width"],
        ["q=0", "quality"],
        ["format=svg", "format"],
        ["w=320&fit=x", "fit"],
      ] as const) {
        const response = await site.fetch(`${post}/cover.png?${query}`);
        assert.equal(response.status, 400, query);
        const { error } = (await response.json()) as { error: string };
        assert.match(error, new RegExp(`^${name}: `));
      }
    });

    it("are not generated for other files, or without a relevant parameter", async () => {
      for (const path of [
        "notes.txt?width=321",
        "logo.svg?width=320",
        "cover.png?fit=x",
        "cover.png?v=2",
      ]) {
        const response = await site.fetch(`${post}/${path}`);
        assert.equal(response.status, 200, path);
        assert.equal(response.headers.get("x-site-image"), null);
        assert.equal(response.headers.get("cache-control"), "public, max-age=3600");
        await response.arrayBuffer();
      }
    });

    it("are cropped around the query's focal point, else the sidecar's", async () => {
      const get = async (query: string): Promise<string | null> => {
        const response = await site.fetch(`${post}/cover.png?w=320&h=320${query}`);
        assert.equal(response.status, 200, query);
        await response.arrayBuffer();
        return response.headers.get("etag");
      };
      const sidecar = await get("");
      assert.equal(await get("&focal=0,0"), sidecar);
      assert.notEqual(await get("&focal=100,100"), sidecar);
      const centre = await get("&focal=50,50");
      assert.notEqual(centre, sidecar);
      assert.equal(await get("&focal=a,b"), sidecar, "no focal point: the sidecar's");
      await site.write("content/02.blog/01.post/cover.png.meta.yaml", "focal_point: [100, 100]\n");
      assert.equal(await get(""), await get("&focal=100,100"));
      await site.write("content/02.blog/01.post/cover.png.meta.yaml", "focal_point: [broken\n");
      assert.equal(await get(""), centre);
    });

    it("change with the original", async () => {
      await site.write("content/02.blog/01.post/swap.png", await picture(400, 300));
      const before = await site.fetch(`${post}/swap.png?w=320`);
      await before.arrayBuffer();
      const file = join(site.root, "content/02.blog/01.post/swap.png");
      await writeFile(`${file}.new`, await picture(500, 500));
      await rename(`${file}.new`, file);
      const after = await site.fetch(`${post}/swap.png?w=320`);
      await after.arrayBuffer();
      assert.equal(after.headers.get("x-site-image-height"), "320");
      assert.notEqual(after.headers.get("etag"), before.headers.get("etag"));
    });

    it("respond 422 for an original that is not an image", async () => {
      const response = await site.fetch(`${post}/broken.jpg?w=320`);
      assert.equal(response.status, 422);
      const { error } = (await response.json()) as { error: string };
      assert.match(error, /cannot be processed/);
    });

    it("are generated once for two hundred concurrent requests", async () => {
      const responses = await Promise.all(
        Array.from({ length: 200 }, () => site.fetch(`${post}/cover.png?w=768`)),
      );
      await Promise.all(responses.map((response) => response.arrayBuffer()));
      assert.ok(responses.every(({ status }) => status === 200));
      const made = responses.filter(({ headers }) => headers.get("x-site-image") === "processed");
      assert.equal(made.length, 1);
    });

    it("support 304 and ranges", async () => {
      const url = `${post}/cover.png?width=640&format=webp`;
      const whole = await site.fetch(url);
      const size = (await whole.arrayBuffer()).byteLength;
      const etag = whole.headers.get("etag") ?? "";
      assert.equal((await site.fetch(url, { headers: { "if-none-match": etag } })).status, 304);
      const part = await site.fetch(url, { headers: { range: "bytes=0-3" } });
      assert.equal(part.headers.get("content-range"), `bytes 0-3/${size}`);
      assert.equal(await part.text(), "RIFF");
    });

    it("are sent whole while the cache is repeatedly purged", async () => {
      const media = site.site.use("media");
      const purging = { on: true };
      const purge = (async () => {
        while (purging.on) {
          await media.purge();
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      })();
      const statuses = await Promise.all(
        Array.from({ length: 60 }, async () => {
          const response = await site.fetch(`${post}/cover.png?w=320`);
          await response.arrayBuffer();
          return response.status;
        }),
      );
      purging.on = false;
      await purge;
      assert.deepEqual(new Set(statuses), new Set([200]));
    });

    it("respond 200, 429 or 503 with Retry-After to all combinations at once", async () => {
      const widths = [320, 640, 768];
      const urls = widths.flatMap((w) =>
        widths.flatMap((h) =>
          ["cover", "contain", "fill", "inside", "outside"].flatMap((fit) =>
            ["webp", "jpeg"].map((f) => `${post}/cover.png?w=${w}&h=${h}&fit=${fit}&f=${f}&q=41`),
          ),
        ),
      );
      const seen = new Set<number>();
      await Promise.all(
        urls.map(async (url) => {
          const response = await site.fetch(url);
          await response.arrayBuffer();
          seen.add(response.status);
          if (response.status !== 200) assert.ok(Number(response.headers.get("retry-after")) > 0);
        }),
      );
      assert.ok(
        [...seen].every((status) => [200, 429, 503].includes(status)),
        [...seen].join(),
      );
      assert.ok(seen.has(200));
    });
  });

  it("leak nothing while a file is repeatedly replaced by a link", async () => {
    const file = join(site.root, "content/02.blog/01.post/turn.txt");
    const turning = { on: true };
    await mkdir(join(outside, "deep"), { recursive: true });
    const turn = (async () => {
      while (turning.on) {
        await rm(file, { force: true });
        await writeFile(file, "plain");
        await rm(file);
        await symlink(join(outside, "secret.jpg"), file);
      }
    })();
    for (let round = 0; round < 300; round += 1) {
      const text = await (await site.fetch(`${post}/turn.txt`)).text();
      assert.ok(!text.includes(canary));
    }
    turning.on = false;
    await turn;
  });
});
