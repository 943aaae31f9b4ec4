import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { gradient } from "../../support/content/pictures.js";
import { useChromium } from "../../support/services.js";
import { until } from "../../support/until.js";

/** Of the original, and the widths of its variants. */
const ORIGINAL = 2000;
const WIDTHS = [320, 640, 768, 1024, 1280, 1536, 1920];

const TEXT = "![A landscape](a.jpg)\n\nText.\n\n## Part\n\n![The same](a.jpg)\n";
const PAGES = ["/", "/text", "/docs", "/blog", "/blog/one", "/item", "/gallery"];

interface Shown {
  /** The address of the chosen file. */
  src: string;
  /** CSS pixels. */
  width: number;
}
const SHOWN = `[...document.querySelectorAll("main img")].map((image) => (
  { src: image.currentSrc, width: image.getBoundingClientRect().width }))`;
const BOXES = `JSON.stringify([...document.querySelectorAll("main *")]
  .filter(({ localName }) => localName !== "picture" && localName !== "source")
  .map((one) => { const { x, y, width, height } = one.getBoundingClientRect(); return [x, y, width, height]; }))`;
const PLAIN = `document.querySelectorAll("picture").forEach((one) => one.replaceWith(one.querySelector("img")))`;

/** True for the smallest file that is not blurred, or the next one. */
function fits({ src, width }: Shown, density: number): boolean {
  const chosen = Number(src === "" ? 0 : new URL(src).searchParams.get("width"));
  const least = Math.min(width * density, 1920) - 1;
  return WIDTHS.filter((one) => one >= least)
    .slice(0, 2)
    .includes(chosen);
}

async function openSite(): Promise<TestSite> {
  const photo = await gradient(ORIGINAL, 1300).jpeg({ quality: 95 }).toBuffer();
  const post = "---\ntitle: Post\ndate: 2025-01-01\nimage: a.jpg\n---\nText.\n";
  const pages = {
    "01.home/landing.md": "---\ntitle: Home\nhero: { title: Hello, image: a.jpg }\n---\nText.\n",
    "02.text/default.md": TEXT,
    "03.docs/docs.md": TEXT,
    "04.blog/blog.md": "---\ntitle: Blog\ncollection: { items: '@self.children' }\n---\n",
    "04.blog/one/post.md": post,
    "04.blog/two/post.md": post,
    "05.item/item.md": "---\ntitle: Item\nimage: a.jpg\n---\nText.\n",
    "06.gallery/default.md": "---\ntitle: Gallery\n---\n",
    "06.gallery/_pictures/gallery.md": "---\ntitle: Pictures\n---\n",
  };
  const files: Record<string, string | Buffer> = { "site.yaml": "title: Test\n" };
  for (const [file, text] of Object.entries(pages)) {
    files[`content/${file}`] = text;
    files[`content/${file.slice(0, file.lastIndexOf("/"))}/a.jpg`] = photo;
  }
  return bootSite({ files, env: { SITE_ENV: "production" } });
}

describe("images in the default theme", () => {
  let browser: Browser;
  let site: TestSite;
  before(async function () {
    browser = await useChromium(this);
    site = await openSite();
    for (const path of PAGES) {
      await until(async () => {
        const html = await (await site.fetch(path)).text();
        const images = html.match(/<img\b[^>]*a\.jpg/g) ?? [];
        return images.length > 0 && images.length === html.match(/<picture>/g)?.length;
      });
    }
  });
  after(() => site.close());

  const open = async (path: string, options: { width: number; density: number }) => {
    const { width, density } = options;
    const viewport = { width, height: 4_000 };
    const context = await browser.newContext({ viewport, deviceScaleFactor: density });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on(
      "console",
      (message) => message.text().includes("Policy") && faults.push(message.text()),
    );
    // The choice counts, not the file.
    await page.route("**/content-media/**", (route) => route.abort());
    await page.goto(site.url + path, { waitUntil: "load" });
    return { page, faults, close: () => context.close() };
  };

  for (const path of PAGES) {
    for (const width of [390, 768, 1280, 1920]) {
      it(`have the size of their column at ${path}, ${width} px wide`, async () => {
        for (const density of [1, 2]) {
          const { page, faults, close } = await open(path, { width, density });
          const shown = { images: new Array<Shown>() };
          // Chromium chooses among lazy images again once they have a width.
          await until(async () => {
            shown.images = await page.evaluate<Shown[]>(SHOWN);
            return shown.images.length > 0 && shown.images.every((one) => fits(one, density));
          }).catch(() => assert.fail(JSON.stringify({ density, ...shown })));
          assert.deepEqual(faults, []);
          await close();
        }
      });
    }

    it(`are where a plain image would be at ${path}`, async () => {
      for (const width of [390, 1280]) {
        const { page, close } = await open(path, { width, density: 1 });
        const before = await page.evaluate<string>(BOXES);
        await page.evaluate(PLAIN);
        assert.equal(await page.evaluate<string>(BOXES), before);
        await close();
      }
    });
  }
});
