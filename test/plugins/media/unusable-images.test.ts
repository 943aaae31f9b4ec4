import assert from "node:assert/strict";
import { bootAdmin, type AdminClient, type AdminSite } from "../../support/sites/admin-site.js";
import { gradient, hugePng, picture } from "../../support/content/pictures.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { until } from "../../support/until.js";

const HOME = "content/01.home";
const photo = () => gradient(700, 350).jpeg().toBuffer();
const SVG = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' width='800' height='400'></svg>");

/** Name, bytes, and what is wrong. */
type Unusable = readonly [name: string, bytes: () => Promise<Buffer> | Buffer, reason: RegExp];
const UNUSABLE: readonly Unusable[] = [
  ["large.png", () => hugePng(9_000, 7_000), /too large: 9000 × 7000 pixels are 63 megapixels/],
  ["cut.jpg", async () => (await photo()).subarray(0, 4_000), /damaged/],
  ["cut.png", async () => (await picture(700, 350)).subarray(0, 900), /damaged/],
  ["other.jpg", () => SVG, /another kind/],
];

async function broken(): Promise<Buffer> {
  const bytes = await gradient(700, 350).png({ compressionLevel: 0 }).toBuffer();
  return bytes.fill(0xff, bytes.length / 2, bytes.length / 2 + 4_000);
}

describe("images that cannot be resized", () => {
  let site: TestSite;
  afterEach(async () => site.close());

  const open = async (files: Record<string, Buffer>, system = {}): Promise<void> => {
    const names = Object.keys(files).map((name) => `![${name}](${name})\n`);
    site = await bootSite({
      plugins: ["cache", "check", "content", "feeds", "markdown", "media", "pages", "render"],
      files: {
        [`${HOME}/default.md`]: `---\ntitle: Home\n---\n${names.join("\n")}`,
        ...Object.fromEntries(
          Object.entries(files).map(([name, bytes]) => [`${HOME}/${name}`, bytes]),
        ),
      },
      settings: { system },
    });
  };
  const tagOf = async (name: string): Promise<string> => {
    const html = await (await site.fetch("/")).text();
    return new RegExp(`<img[^>]*${name.replace(".", "\\.")}"[^>]*>`).exec(html)?.[0] ?? "";
  };

  it("are shown as they are", async () => {
    const files = UNUSABLE.map(async ([name, bytes]) => [name, await bytes()] as const);
    await open(Object.fromEntries(await Promise.all(files)));
    for (const [name, , reason] of UNUSABLE) {
      assert.match(await tagOf(name), /<img/);
      assert.doesNotMatch(await tagOf(name), /srcset|sizes/);
      const variant = await site.fetch(`/content-media/01.home/${name}?width=320`);
      assert.equal(variant.status, 422);
      assert.match(((await variant.json()) as { error: string }).error, reason);
    }
  });

  for (const system of [{}, { images: { pictures: false, placeholders: false } }]) {
    it(`lose their variants once decoding has failed: ${JSON.stringify(system)}`, async () => {
      await open({ "broken.png": await broken() }, system);
      await until(async () => {
        const tag = await tagOf("broken.png");
        return tag !== "" && !/srcset/.test(tag);
      });
    });
  }

  it("keep their variants when data follows the image", async () => {
    await open({ "trailer.jpg": Buffer.concat([await photo(), Buffer.alloc(500, 1)]) });
    assert.match(await tagOf("trailer.jpg"), /srcset/);
  });

  it("are warnings of the check, each with its reason", async () => {
    const files = Object.fromEntries(
      await Promise.all(UNUSABLE.map(async ([name, bytes]) => [name, await bytes()] as const)),
    );
    await open({
      ...files,
      "cut.tiff": (await gradient(700, 350).tiff().toBuffer()).fill(0, 4_000),
      "good.tiff": await gradient(700, 350).tiff().toBuffer(),
      "good.avif": await gradient(70, 35).avif().toBuffer(),
      "good.jpg": await photo(),
      "good.jfif": await photo(),
      "nothing.jpg": Buffer.from("no image"),
      "old.bmp": Buffer.from("BM"),
      "drawing.svg": SVG,
    });
    const found = (await site.site.use("check").problems()).filter(
      ({ code }) => code === "ERR_MEDIA_IMAGE",
    );
    for (const [name, , reason] of UNUSABLE) {
      const one = found.find(({ sourcePath }) => sourcePath === `01.home/${name}`);
      assert.match(one?.message ?? "", reason, name);
      assert.equal(one?.severity, "warning");
    }
    const names = found.map(({ sourcePath }) => sourcePath.slice("01.home/".length)).toSorted();
    assert.deepEqual(
      names,
      [...UNUSABLE.map(([name]) => name), "cut.tiff", "nothing.jpg", "old.bmp"].toSorted(),
    );
  });
});

describe("an upload of an image", () => {
  let site: AdminSite;
  let admin: AdminClient;
  before(async () => {
    site = await bootAdmin();
    admin = await site.as("admin");
  });
  after(async () => site.close());

  const upload = async (name: string, bytes: Buffer) => {
    const form = new FormData();
    form.set("pagePath", "01.home/default.md");
    form.set("file", new File([new Uint8Array(bytes)], name), name);
    return admin.json(201, "POST", "/admin/api/media/upload", form);
  };

  it("that cannot be resized is stored with a warning", async () => {
    const found = await upload("large.png", hugePng(9_000, 7_000));
    assert.match(found.warnings[0], /63 megapixels/);
    assert.equal(found.item.name, "large.png");
    assert.match(
      (await upload("cut.jpg", (await photo()).subarray(0, 4_000))).warnings[0],
      /damaged/,
    );
    assert.deepEqual((await upload("good.jpg", await photo())).warnings, []);
  });

  for (const suffix of ["jfif", "jpe", "pjpeg", "jif", "JFIF"]) {
    it(`is accepted as .${suffix}, and resized`, async () => {
      const { item, warnings } = await upload(`a.${suffix}`, await photo());
      assert.deepEqual(warnings, []);
      assert.equal(item.type, "image/jpeg");
      const variant = await site.fetch(`${item.url}?width=320`);
      assert.equal(variant.headers.get("content-type"), "image/jpeg");
      assert.equal(variant.headers.get("x-site-image-width"), "320");
    });
  }
});
