import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import sharp from "sharp";
import { SiteError } from "#kernel";
import { ImageProcess, createSharpEngine } from "../../../plugins/media/engines/sharp.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import {
  damagedOthers,
  damagedPngs,
  type DamagedImages,
} from "../../support/content/damaged-images.js";

const formats = ["jpeg", "webp", "png"] as const;
/** Limit for decoders of malformed files, in bytes of this process and the image process. */
const maxGrowth = 300 * 1024 * 1024;

/** Resident memory of this process, and the largest so far of the image process, in bytes. */
function memoryOf({ pid }: ImageProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const kilobytes = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]);
  return process.memoryUsage().rss + kilobytes * 1024;
}

describe("damaged images", function () {
  this.timeout(240_000);
  let images: DamagedImages;
  let site: TestSite;
  before(async () => {
    images = { ...damagedPngs(), ...(await damagedOthers()) };
    const files = Object.fromEntries(
      Object.values(images).map((bytes, at) => [`content/01.home/image-${at}.png`, bytes]),
    );
    site = await bootSite({
      plugins: ["content", "markdown", "media", "health"],
      env: { SITE_ENV: "production" },
      settings: { system: { images: { queue: { misses_per_minute: 100_000 } } } },
      files: { "content/01.home/default.md": "# Home\n", ...files },
    });
  });
  after(() => site.close());

  it("are decoded or rejected by the engine, in any format, with little memory", async () => {
    const decoder = new ImageProcess();
    const engine = createSharpEngine(decoder);
    await engine.size("/nowhere.png");
    const before = memoryOf(decoder);
    for (const [name, bytes] of Object.entries(images)) {
      for (const format of formats) {
        const variant = {
          width: 64,
          height: null,
          quality: 80,
          format,
          fit: "cover",
          focal: null,
        } as const;
        try {
          const image = await engine.process(bytes, variant);
          const { width, height } = await sharp(image.bytes).metadata();
          assert.deepEqual([width, height], [image.width, image.height], name);
          assert.ok(width <= 64, name);
        } catch (error) {
          assert.ok(
            error instanceof SiteError && error.code === "ERR_MEDIA_IMAGE",
            `${name}: ${String(error)}`,
          );
        }
      }
    }
    const growth = memoryOf(decoder) - before;
    assert.ok(growth < maxGrowth, `${Math.round(growth / 1_048_576)} MB`);
  });

  it("are 200 or 422 over HTTP, reveal nothing about the server, and leave it running", async () => {
    for (const [at, name] of Object.keys(images).entries()) {
      for (const query of ["w=64", "w=320&h=320&f=webp"].slice(at % 2)) {
        const response = await site.fetch(
          `/content-media/01.home/image-${at}.png?${query.replace("64", "320")}`,
        );
        const body = Buffer.from(await response.arrayBuffer());
        assert.ok([200, 422].includes(response.status), `${name}: ${response.status}`);
        if (response.status === 200) continue;
        const { error } = JSON.parse(body.toString()) as { error: string };
        assert.match(error, /^the image cannot be processed/, name);
        assert.ok(!body.includes(site.root) && !/vips|sharp|node_modules/iu.test(error), name);
      }
    }
    assert.equal((await site.fetch("/health/live")).status, 200);
  });
});
