import assert from "node:assert/strict";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { definePlugin } from "#kernel";
import type { MediaItem } from "../../../plugins/content/contract.js";
import type { ImageStore } from "../../../plugins/media/contract.js";
import { bootSite } from "../../support/sites/boot-site.js";
import { picture } from "../../support/content/pictures.js";
import { until } from "../../support/until.js";

describe("media on a site", () => {
  it("adds dimensions and smaller variants to images of pages", async () => {
    const site = await bootSite({
      plugins: ["content", "markdown", "render", "media"],
      files: {
        "content/01.home/default.md":
          "# Home\n\n![](cover.png)\n\n![](logo.svg)\n\n![](missing.png)\n",
        "content/01.home/cover.png": await picture(700, 350),
        "content/01.home/cover.png.meta.yaml": "alt: A cover\n",
        "content/01.home/logo.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 12"/>',
      },
    });
    try {
      // A page is shown without a size that takes too long to read.
      const read = async () => (await (await site.fetch("/")).text()).match(/<img\b[^>]*>/g) ?? [];
      await until(async () => (await read())[0]?.includes("width=") === true);
      const [cover = "", logo = "", missing = ""] = await read();
      for (const part of [
        'width="700"',
        'height="350"',
        'alt="A cover"',
        'loading="eager" fetchpriority="high"',
        'decoding="async"',
      ]) {
        assert.ok(cover.includes(part), `${part} in ${cover}`);
      }
      const candidates = /srcset="([^"]*)"/.exec(cover)?.[1]?.split(", ") ?? [];
      assert.deepEqual(
        candidates.map((one) => one.split(" ")[1]),
        ["320w", "640w", "700w"],
      );
      assert.match(cover, /sizes="[^"]+"/);
      const original = candidates.pop() ?? "";
      assert.equal((await site.fetch(original.split(" ")[0] ?? "")).status, 200);
      for (const candidate of candidates) {
        const response = await site.fetch((candidate.split(" ")[0] ?? "").replaceAll("&amp;", "&"));
        assert.equal(
          response.headers.get("x-site-image-width"),
          candidate.split(" ")[1]?.replace("w", ""),
        );
        await response.arrayBuffer();
      }
      assert.ok(logo.includes('loading="lazy"'), logo);
      assert.ok(logo.includes('width="24"') && !logo.includes("srcset"), logo);
      assert.ok(!missing.includes("srcset"), missing);
    } finally {
      await site.close();
    }
  });

  it("rejects a cache folder whose contents cannot be generated again", async () => {
    const files = { "system.yaml": "images:\n  cache_dir: content/cache\n" };
    await assert.rejects(bootSite({ plugins: ["content", "media"], files }), (error) => {
      assert.match(
        String(error instanceof Error ? error.message : error),
        /images\.cache_dir|configuration/,
      );
      return true;
    });
  });

  it("stores variants in images.cache_dir, and purges them", async () => {
    const site = await bootSite({
      plugins: ["content", "media"],
      files: {
        "content/01.home/a.png": await picture(400, 400),
        "content/01.home/default.md": "# x",
      },
      settings: { system: { images: { cache_dir: "var/pictures" } } },
    });
    try {
      const get = async (): Promise<string | null> => {
        const response = await site.fetch("/a.png?w=320");
        await response.arrayBuffer();
        return response.headers.get("x-site-image");
      };
      assert.deepEqual([await get(), await get()], ["processed", "cache-hit"]);
      await site.site.use("media").purge();
      assert.deepEqual(await readdir(join(site.root, "var/pictures")), []);
      assert.equal(await get(), "processed");
      assert.equal(site.site.use("media").stats().processed, 2);
    } finally {
      await site.close();
    }
  });

  it("uses another engine for the store from a plugin", async () => {
    const kept = new Map<string, Parameters<ImageStore["put"]>[1]>();
    const store: ImageStore = {
      get: async ({ original, variant }) => kept.get(original + variant) ?? null,
      put: async ({ original, variant }, image) => void kept.set(original + variant, image),
      delete: async () => undefined,
      clear: async () => kept.clear(),
    };
    const shared = definePlugin({
      name: "shared-images",
      version: "1.0.0",
      hooks: {
        onImageStoreCreate: ({ data }) => {
          data.register("shared", store);
          data.activate("shared");
        },
      },
    });
    const site = await bootSite({
      plugins: ["content", "media"],
      extraPlugins: [shared],
      files: {
        "content/01.home/a.png": await picture(400, 400),
        "content/01.home/default.md": "# x",
      },
    });
    try {
      assert.equal((await site.fetch("/a.png?w=320")).status, 200);
      await site.site.use("media").purge();
      await site.fetch("/a.png?w=320");
    } finally {
      await site.close();
    }
    assert.equal(kept.size, 1);
  });

  it("generates variants although the cache folder is not writable", async () => {
    const site = await bootSite({
      plugins: ["content", "media"],
      files: {
        "content/01.home/a.png": await picture(400, 400),
        "content/01.home/default.md": "# x",
        "var/pictures": "a file in the way",
      },
      settings: { system: { images: { cache_dir: "var/pictures" } } },
    });
    try {
      for (const outcome of ["processed", "cache-hit"]) {
        const response = await site.fetch("/a.png?w=320");
        assert.deepEqual([response.status, response.headers.get("x-site-image")], [200, outcome]);
        await response.arrayBuffer();
      }
    } finally {
      await site.close();
    }
  });

  it("reads the size of an image of a page once, until the image changes", async () => {
    const site = await bootSite({
      plugins: ["content", "media"],
      files: {
        "content/01.home/a.png": await picture(40, 30),
        "content/01.home/default.md": "# x",
      },
    });
    const content = site.site.use("content");
    const page = () => content.generation().entries[0] ?? assert.fail();
    const image = async (): Promise<MediaItem> =>
      (await content.media(page().folder))[0] ?? assert.fail();
    const sizeOf = (item: MediaItem) => site.site.use("media").imageSize(item, page());
    try {
      const before = await image();
      assert.deepEqual(await sizeOf(before), { width: 40, height: 30 });
      await writeFile(join(site.root, "content/01.home/a.png"), await picture(60, 20));
      assert.deepEqual(await sizeOf(before), { width: 40, height: 30 });
      await content.rebuild();
      assert.deepEqual(await sizeOf(await image()), { width: 60, height: 20 });
    } finally {
      await site.close();
    }
  });
});
