import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { bootSite, type BootOptions, type TestSite } from "../../../support/sites/boot-site.js";
import { exportFolder } from "../../../support/processes/export-folder.js";
import { gradient, picture } from "../../../support/content/pictures.js";
import { until } from "../../../support/until.js";

const PLUGINS = ["cache", "content", "feeds", "markdown", "media", "pages", "render"];
const HOME = "content/01.home";

/** The last image of each page: images are measured in order, so all are when it is a `<picture>`. */
const LAST = "![](last.jpg)\n";
const photo = (): Promise<Buffer> => gradient(700, 350).jpeg({ quality: 95 }).toBuffer();

async function siteWith(
  images: Readonly<Record<string, Buffer | string>>,
  settings: Record<string, unknown> = {},
): Promise<TestSite> {
  const files: Record<string, Buffer | string> = { [`${HOME}/last.jpg`]: await photo() };
  for (const [name, bytes] of Object.entries(images)) files[`${HOME}/${name}`] = bytes;
  const text = Object.keys(images).map((name) => `![](${name})\n\n`);
  files[`${HOME}/default.md`] = `# Home\n\n${text.join("")}${LAST}`;
  const options: BootOptions = { plugins: PLUGINS, files };
  return bootSite({ ...options, settings: { system: { images: settings } } });
}

/** The page once all of its images are measured. */
async function measured(site: TestSite): Promise<string> {
  const page = { html: "" };
  await until(async () => {
    page.html = await (await site.fetch("/")).text();
    return /<picture>(?:<source[^>]*>)+<img[^>]*last\.jpg/.test(page.html);
  });
  return page.html;
}

/** The markup of an image: its `<picture>`, or the `<img>` alone. */
function markupOf(html: string, name: string): string {
  const tags = html.match(/<picture>.*?<\/picture>|<img\b[^>]*>/gs) ?? [];
  return tags.find((tag) => tag.includes(`/${name}"`)) ?? "";
}

const candidatesOf = (srcset: string): string[] =>
  srcset.split(", ").map((one) => one.split(" ")[0]?.replaceAll("&amp;", "&") ?? "");

describe("images in pages", () => {
  let site: TestSite;
  afterEach(async () => site.close());

  it("offers formats that are smaller, the smallest first, each in all widths", async () => {
    site = await siteWith({});
    const image = markupOf(await measured(site), "last.jpg");
    const sources = [
      ...image.matchAll(/<source type="([^"]*)" srcset="([^"]*)" sizes="([^"]*)">/g),
    ];
    assert.ok(sources.length > 0, image);
    const fallback = / srcset="([^"]*)"/.exec(image.slice(image.indexOf("<img")))?.[1] ?? "";
    const bytes: number[] = [];
    for (const [, type, srcset = ""] of [...sources, ["", "image/jpeg", fallback]]) {
      const addresses = candidatesOf(srcset);
      assert.equal(addresses.length, 3);
      const first = await site.fetch(addresses[1] ?? "");
      assert.equal(first.headers.get("content-type"), type);
      bytes.push((await first.arrayBuffer()).byteLength);
      for (const address of addresses) {
        const response = await site.fetch(address);
        assert.equal(response.status, 200);
        await response.arrayBuffer();
      }
    }
    assert.deepEqual(
      bytes,
      bytes.toSorted((a, b) => a - b),
    );
  });

  it("sends no outdated page once an image is measured", async () => {
    site = await siteWith({});
    const early = await site.fetch("/");
    const html = await early.text();
    const etag = early.headers.get("etag") ?? "";
    const late = await measured(site);
    const headers = { "If-None-Match": etag };
    const again = await site.fetch("/", { headers });
    assert.equal(again.status, html === late ? 304 : 200);
    await again.text();
  });

  it("leaves the HTML of the API and of feeds plain", async () => {
    site = await siteWith({});
    await measured(site);
    const { html } = await (await site.fetch("/api/pages/")).json();
    assert.match(html, /<img[^>]*loading="lazy"/);
    assert.doesNotMatch(html, /<picture|data-tone/);
    const feed = await (await site.fetch("/feed.xml")).text();
    assert.doesNotMatch(feed, /<picture|data-tone/);
  });

  it("loads the first image in view with priority, the others when they come near", async () => {
    site = await siteWith({ "a.png": await picture(400, 200) });
    const html = await measured(site);
    assert.match(markupOf(html, "a.png"), /loading="eager" fetchpriority="high"/);
    assert.doesNotMatch(markupOf(html, "a.png"), /sizes="auto/);
    assert.match(markupOf(html, "last.jpg"), /<img[^>]* loading="lazy"/);
    assert.match(markupOf(html, "last.jpg"), /<img[^>]* sizes="auto, /);
  });

  it("shows the dominant colour without inline styles", async () => {
    const red = sharp({ create: { width: 400, height: 200, channels: 3, background: "#ff0000" } });
    site = await siteWith({ "red.png": await red.png().toBuffer() });
    const html = await measured(site);
    assert.match(markupOf(html, "red.png"), /data-tone="7-0\+0"/);
    assert.doesNotMatch(html, /style=/);
  });

  it("measures an image that was replaced again", async () => {
    const plain = (background: string): Promise<Buffer> =>
      sharp({ create: { width: 400, height: 200, channels: 3, background } })
        .png()
        .toBuffer();
    site = await siteWith({ "a.png": await plain("#ff0000") });
    await measured(site);
    await site.write(`${HOME}/a.png`, await plain("#0000ff"));
    await until(async () => {
      const html = await (await site.fetch("/")).text();
      return markupOf(html, "a.png").includes('data-tone="0-0+7*"');
    });
  });

  describe("with files of others", () => {
    const animation = (type: "gif" | "webp"): Promise<Buffer> =>
      sharp(Buffer.concat([60, 180].map((grey) => Buffer.alloc(400 * 200 * 3, grey))), {
        raw: { width: 400, height: 400, channels: 3, pageHeight: 200 },
      })
        .toFormat(type)
        .toBuffer();
    const clear = { r: 200, g: 0, b: 0, alpha: 0.5 };
    type Row = [name: string, make: () => Promise<Buffer | string>, expected: RegExp | null];
    const table: Row[] = [
      ["cut.jpg", async () => (await photo()).subarray(0, 900), null],
      ["huge.png", async () => hugePng(), null],
      ["none.jpg", async () => Buffer.alloc(0), null],
      ["text.png", async () => "no image", null],
      ["moving.gif", () => animation("gif"), null],
      ["moving.webp", () => animation("webp"), null],
      [
        "drawing.svg",
        async () => '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="9"/>',
        null,
      ],
      ["dot.png", () => picture(1, 1), null],
      [
        "print.jpg",
        () => gradient(700, 350).toColourspace("cmyk").jpeg().toBuffer(),
        /<source.*data-tone=/s,
      ],
      [
        "clear.png",
        () =>
          sharp({ create: { width: 400, height: 200, channels: 4, background: clear } })
            .png()
            .toBuffer(),
        /^(?!.*data-tone)/s,
      ],
      [
        "turned.jpg",
        () => gradient(700, 350).jpeg({ quality: 95 }).withMetadata({ orientation: 6 }).toBuffer(),
        /width="350" height="700"/,
      ],
    ];
    it("shows those that cannot be resized as plain images, the others in a picture", async () => {
      const images = await Promise.all(
        table.map(async ([name, make]) => [name, await make()] as const),
      );
      site = await siteWith(Object.fromEntries(images));
      const html = await measured(site);
      for (const [name, , expected] of table)
        assert.match(markupOf(html, name), expected ?? /^<img(?![^>]*data-tone)/, name);
    });
  });

  describe("switched off", () => {
    it("shows plain images, and measures nothing", async () => {
      site = await siteWith({}, { pictures: false, placeholders: false });
      for (let times = 0; times < 2; times += 1) {
        const html = await (await site.fetch("/")).text();
        assert.match(html, /<img[^>]*srcset="[^"]*last\.jpg/);
        assert.doesNotMatch(html, /<picture|data-tone/);
      }
      assert.equal(site.site.context("media").use("media").stats().processed, 0);
    });

    it("shows colours without other formats", async () => {
      site = await siteWith({}, { pictures: false });
      await until(async () => (await (await site.fetch("/")).text()).includes("data-tone"));
      assert.doesNotMatch(await (await site.fetch("/")).text(), /<picture/);
    });
  });
});

describe("images in a static export", () => {
  it("are the same as on the server, and every file of them exists", async () => {
    const files = {
      [`${HOME}/default.md`]: `# Home\n\n${LAST}`,
      [`${HOME}/last.jpg`]: await photo(),
    };
    const exported = await exportFolder(files);
    try {
      const { failures } = await exported.export();
      assert.deepEqual(failures, []);
      const html = await exported.read("index.html");
      const image = markupOf(html, "last.jpg");
      assert.match(image, /<source type="image\/avif"/);
      assert.match(image, /data-tone="/);
      const addresses = [...image.matchAll(/srcset="([^"]*)"/g)].flatMap(([, all = ""]) =>
        candidatesOf(all),
      );
      assert.ok(addresses.length >= 6);
      for (const address of addresses) assert.ok(existsSync(join(exported.out, address)), address);
    } finally {
      await exported.close();
    }
  });
});

/** A header that promises 30,000 × 30,000 pixels. */
function hugePng(): Buffer {
  const header = Buffer.from(
    "89504e470d0a1a0a0000000d49484452000075300000753008060000003d3f4c0b0000000049454e44ae426082",
    "hex",
  );
  return header;
}
